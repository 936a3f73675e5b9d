/**
 * Full-text search of documents and products, through both doors: both engines return the same results in the
 * same order.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type Person } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import type { CursorPage } from '../support/response-bodies.ts';

interface Found {
  readonly id: number;
  readonly title: string;
}

/** Documents in order of creation. */
const DOCUMENTS: readonly (readonly [title: string, body: string])[] = [
  ['Lamp catalogue', 'Every desk has one. Prices are per piece.'],
  ['Lampshades', 'Paper and glass; no lamps.'],
  ['Opening hours', 'The lamp at the door is on when we are open. Desk 4 is Zoë’s.'],
  ['Desk lamp, model 7', 'Assembled in Łódź. Crème and brûlée colours.'],
  ['Straße 12', 'e-mail: info@example.com, version 1.2.3 (draft) NOT final OR "quoted" text*'],
  ['東京タワー', '高さは333メートルです。'],
  ['Ωδείο', 'ΜΟΥΣΙΚΉ ΟΔΌΣ'],
  ['Long', `${'x'.repeat(200)} ${'word '.repeat(2000)}`],
  ['It’s a lamp', ''],
];

/** Queries, and the titles that they return, best match first. */
const CASES: readonly (readonly [q: string, titles: readonly string[]])[] = [
  // Words, in any case: matches in titles first, and newest first among equals; then words that begin with
  // the last word.
  ['lamp', ['It’s a lamp', 'Desk lamp, model 7', 'Lamp catalogue', 'Lampshades', 'Opening hours']],
  ['LAMP', ['It’s a lamp', 'Desk lamp, model 7', 'Lamp catalogue', 'Lampshades', 'Opening hours']],
  ['lamps', ['Lampshades']],
  // All words must match, each anywhere and in any order.
  ['desk lamp', ['Desk lamp, model 7', 'Opening hours', 'Lamp catalogue']],
  ['lamp desk', ['Desk lamp, model 7', 'Opening hours', 'Lamp catalogue']],
  ['lamp lamp desk', ['Desk lamp, model 7', 'Opening hours', 'Lamp catalogue']],
  ['lamp piano', []],
  // The last word is a prefix from three characters on, in titles only.
  ['la', []],
  ['lam', ['It’s a lamp', 'Desk lamp, model 7', 'Lampshades', 'Lamp catalogue']],
  ['desk lam', ['Desk lamp, model 7']],
  ['lam desk', []],
  ['pric', []],
  ['7', ['Desk lamp, model 7']],
  // Accented letters match letters without accents.
  ['creme brulee', ['Desk lamp, model 7']],
  ['CRÈME', ['Desk lamp, model 7']],
  ['lodz', ['Desk lamp, model 7']],
  ['strasse', ['Straße 12']],
  ['STRASSE 12', ['Straße 12']],
  ['zoe', ['Opening hours']],
  ['ωδειο', ['Ωδείο']],
  ['οδος μουσικη', ['Ωδείο']],
  // Scripts without spaces.
  ['東京', ['東京タワー']],
  ['高さ', ['東京タワー']],
  ['333', ['東京タワー']],
  // Punctuation only separates words: it is no operator, quote or wildcard of either engine.
  ['e-mail', ['Straße 12']],
  ['info@example.com', ['Straße 12']],
  ['version 1.2.3', ['Straße 12']],
  ['lamp OR piano', []],
  ['lamp NOT desk', []],
  ['not final or quoted', ['Straße 12']],
  ['"quoted text"', ['Straße 12']],
  ['"text quoted"', ['Straße 12']],
  ['text*', ['Straße 12']],
  ['qu*', []],
  ['title:lamp', []],
  ["it's", ['It’s a lamp']],
  ['lamp & (desk | 7) !x :* <-> ^', []],
  ["desk' & 'lamp", ['Desk lamp, model 7', 'Opening hours', 'Lamp catalogue']],
  ['desk" AND "lamp', ['Desk lamp, model 7']],
  ['desk) NEAR/2 (lamp', []],
  ['tlamp', []],
  ['wlamp', []],
  ['-lamp', ['It’s a lamp', 'Desk lamp, model 7', 'Lamp catalogue', 'Lampshades', 'Opening hours']],
  ['%', []],
  // Long words are truncated.
  ['x'.repeat(LIMITS.searchWordLength), ['Long']],
  ['x'.repeat(LIMITS.searchLength), ['Long']],
  ['x'.repeat(LIMITS.searchWordLength - 1), []],
  ['word long', ['Long']],
];

/** Queries without a word. */
const NO_WORDS = ['%', ' ', '"*"', '!!', '()', '🎉', '-- ', ':*'];

const GRAPH = `query ($q: String!, $first: Int, $after: String, $last: Int, $before: String) {
  documents(org: "acme", q: $q, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id title } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly title: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

describeEachEngine('searching', (engine) => {
  const app = startApp(engine);
  const at = (path: string, parameters: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams(parameters)}`;
  const docs = (parameters: Readonly<Record<string, string>>) => at('/v1/orgs/acme/docs', parameters);
  const write = async (title: string, body: string, as: Person = 'ada', classification = 'internal') => {
    const made = await app.post<Found>('/v1/orgs/acme/docs', { as, body: { title, body, classification } });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  };
  const titles = async (parameters: Readonly<Record<string, string>>, as: Person = 'ada') => {
    const { status, body, text } = await app.get<CursorPage<Found>>(docs(parameters), { as });
    expect(status, text).toBe(200);
    return body.data.map(({ title }) => title);
  };
  const connection = async (variables: object): Promise<Connection> => {
    const response = await app.graphql<{ documents: Connection }>(GRAPH, { ...variables }, { as: 'ada' });
    expect(codesOf(response)).toEqual([]);
    return response.body.data?.documents ?? expect.unreachable();
  };

  describe('documents', () => {
    beforeAll(async () => {
      for (const [title, body] of DOCUMENTS) await write(title, body);
    });

    test.each(CASES.filter(([q]) => !NO_WORDS.includes(q)))('for %s', async (q, expected) => {
      expect(await titles({ q })).toEqual(expected);
      const { edges } = await connection({ q });
      expect(edges.map(({ node }) => node.title)).toEqual(expected);
    });

    test.each(CASES.filter(([q, found]) => found.length > 1 && !NO_WORDS.includes(q)))(
      'for %s, page by page from either end',
      async (q, expected) => {
        for (const size of [1, 2, 3]) {
          const forwards: string[] = [];
          let path: string | null = docs({ q, limit: String(size) });
          while (path !== null) {
            const { body }: { body: CursorPage<Found> } = await app.get<CursorPage<Found>>(path, {
              as: 'ada',
            });
            forwards.push(...body.data.map(({ title }) => title));
            path = body.next_cursor && docs({ q, limit: String(size), cursor: body.next_cursor });
          }
          expect(forwards).toEqual(expected);

          const backwards: string[] = [];
          for (let before: string | null | undefined; before !== null; ) {
            const { edges, pageInfo } = await connection({ q, first: null, last: size, before });
            backwards.unshift(...edges.map(({ node }) => node.title));
            before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
          }
          expect(backwards).toEqual(expected);
        }
        const { edges } = await connection({ q });
        const [first] = edges;
        const rest = await connection({ q, after: first?.cursor });
        expect(rest.edges.map(({ node }) => node.title)).toEqual(expected.slice(1));
      },
    );

    test('in their current state: after changes and deletions', async () => {
      const id = await write('Zeppelin', 'A hangar.');
      expect(await titles({ q: 'zeppelin' })).toEqual(['Zeppelin']);
      await app.patch(`/v1/orgs/acme/docs/${id}`, { as: 'ada', body: { title: 'Airship' } });
      expect(await titles({ q: 'zeppelin' })).toEqual([]);
      expect(await titles({ q: 'airship hangar' })).toEqual(['Airship']);
      await app.patch(`/v1/orgs/acme/docs/${id}`, { as: 'ada', body: { body: 'A mast.' } });
      expect(await titles({ q: 'hangar' })).toEqual([]);
      expect(await titles({ q: 'mast airship' })).toEqual(['Airship']);
      await app.patch(`/v1/orgs/acme/docs/${id}`, { as: 'ada', body: { classification: 'public' } });
      expect(await titles({ q: 'mast' })).toEqual(['Airship']);
      await app.delete(`/v1/orgs/acme/docs/${id}`, { as: 'ada' });
      expect(await titles({ q: 'airship' })).toEqual([]);
    });

    test('only if the caller may read them', async () => {
      const id = await write('Salaries quetzal', 'Confidential figures.', 'ada', 'confidential');
      await write('Notes quetzal', '', 'ed', 'confidential');
      await app.post('/v1/orgs/globex/docs', {
        as: 'gil',
        body: { title: 'Quetzal of globex', body: 'x', classification: 'public' },
      });
      expect(await titles({ q: 'quetzal' })).toEqual(['Notes quetzal', 'Salaries quetzal']);
      expect(await titles({ q: 'quetzal' }, 'ed')).toEqual(['Notes quetzal']);
      expect(await titles({ q: 'quetzal' }, 'vic')).toEqual([]);
      expect(await titles({ q: 'figures' }, 'vic')).toEqual([]);
      await app.post(`/v1/orgs/acme/docs/${id}/shares`, {
        as: 'ada',
        body: { user_id: 3, relation: 'reader' },
      });
      expect(await titles({ q: 'quetzal' }, 'vic')).toEqual(['Salaries quetzal']);
      expect(await titles({ q: 'quetzal', classification: 'internal' })).toEqual([]);
      expect(await titles({ q: 'quetzal', classification: 'confidential' })).toHaveLength(2);
    });

    test('behind more hidden documents than one page searches', async () => {
      await write('Okapi of everyone', '');
      for (let made = 0; made <= LIMITS.rowsLookedAt; made += 1) {
        await write(`Okapi ${made}`, '', 'ada', 'confidential');
      }
      const seen: string[] = [];
      let pages = 0;
      let path: string | null = docs({ q: 'okapi' });
      while (path !== null) {
        const { body }: { body: CursorPage<Found> } = await app.get<CursorPage<Found>>(path, { as: 'vic' });
        seen.push(...body.data.map(({ title }) => title));
        path = body.next_cursor && docs({ q: 'okapi', cursor: body.next_cursor });
        pages += 1;
      }
      expect(seen).toEqual(['Okapi of everyone']);
      expect(pages).toBe(2);
    });

    test('completely: as an export of the results', async () => {
      const headers = { accept: 'application/x-ndjson' };
      const { text } = await app.get(docs({ q: 'desk lamp' }), { as: 'ada', headers });
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.slice(0, -1).map(({ title }) => title)).toEqual([
        'Desk lamp, model 7',
        'Opening hours',
        'Lamp catalogue',
      ]);
      expect(lines.at(-1)).toEqual({ complete: true, rows: 3 });
    });

    test('only with a cursor of the same words', async () => {
      const { body } = await app.get<CursorPage<Found>>(docs({ q: 'desk  LAMP', limit: '1' }), { as: 'ada' });
      const cursor = body.next_cursor ?? '';
      expect(await titles({ q: 'Desk lamp', cursor })).toEqual(['Opening hours', 'Lamp catalogue']);
      const others: Record<string, string>[] = [
        { q: 'lamp' },
        { q: 'lamp desk' },
        {},
        { q: 'desk lamp', classification: 'public' },
      ];
      for (const parameters of others) {
        expectError(await app.get(docs({ ...parameters, cursor }), { as: 'ada' }), {
          status: 400,
          code: 'invalid_cursor',
        });
      }
    });
  });

  describe('products', () => {
    const add = (name: string) =>
      app.post<Found>('/v1/products', { as: 'ada', body: { name, unit_price: 1, currency: 'USD' } });
    const names = async (parameters: Readonly<Record<string, string>>, as: Person = 'vic') =>
      (await app.get<CursorPage<{ name: string }>>(at('/v1/products', parameters), { as })).body.data.map(
        ({ name }) => name,
      );

    test('of the demo data', async () => {
      const all = await names({ limit: '100' });
      for (const name of all) expect(await names({ q: name })).toContain(name);
      expect(await names({ q: all[0] ?? '' }, 'gil')).toEqual([]);
    });

    test('by words, prefixes and accents', async () => {
      for (const name of ['Flügel 220', 'Flügelhorn', 'Grand piano “Flügel”', 'Horn, silver'])
        await add(name);
      expect(await names({ q: 'flugel' })).toEqual(['Grand piano “Flügel”', 'Flügel 220', 'Flügelhorn']);
      expect(await names({ q: 'FLÜG' })).toEqual(['Grand piano “Flügel”', 'Flügelhorn', 'Flügel 220']);
      expect(await names({ q: 'silver horn' })).toEqual(['Horn, silver']);
      expect(await names({ q: 'fl' })).toEqual([]);
      const { body } = await app.graphql<{ products: { nodes: { name: string }[] } }>(
        '{ products(q: "piano flugel") { nodes { name } } }',
        {},
        { as: 'vic' },
      );
      expect(body.data?.products.nodes).toEqual([{ name: 'Grand piano “Flügel”' }]);
    });

    test('in their current state: after renaming and archiving', async () => {
      const { id } = (await add('Theremin')).body;
      await app.patch(`/v1/products/${id}`, { as: 'ada', body: { unit_price: 2, currency: 'USD' } });
      expect(await names({ q: 'theremin' })).toEqual(['Theremin']);
      await app.patch(`/v1/products/${id}`, { as: 'ada', body: { name: 'Ondes Martenot' } });
      expect(await names({ q: 'theremin' })).toEqual([]);
      expect(await names({ q: 'martenot' })).toEqual(['Ondes Martenot']);
      await app.delete(`/v1/products/${id}`, { as: 'ada' });
      expect(await names({ q: 'martenot' })).toEqual([]);
      expect(await names({ q: 'martenot', archived: 'true' })).toEqual(['Ondes Martenot']);
    });
  });

  describe('refuses', () => {
    const PATHS = ['/v1/orgs/acme/docs', '/v1/products'];

    test.each(NO_WORDS.flatMap((q) => PATHS.map((path) => [q, path] as const)))(
      'a query without a word: %j of %s',
      async (q, path) => {
        expectError(await app.get(at(path, { q }), { as: 'ada' }), {
          status: 400,
          code: 'invalid_parameter',
          paths: ['q'],
        });
      },
    );

    test.each(PATHS)('empty and too long queries at %s', async (path) => {
      const sixteen = Array.from({ length: LIMITS.searchWords }, (_, index) => `w${index}`).join(' ');
      for (const q of ['', 'x'.repeat(LIMITS.searchLength + 1), 'lamp '.repeat(2000), `${sixteen} more`]) {
        expectError(await app.get(at(path, { q }), { as: 'ada' }), {
          status: 400,
          code: 'invalid_parameter',
          paths: ['q'],
        });
      }
      expect((await app.get(at(path, { q: sixteen }), { as: 'ada' })).status).toBe(200);
    });

    test('the same through GraphQL', async () => {
      for (const q of ['', '!!', 'x'.repeat(10_000)]) {
        const document = 'query ($q: String) { documents(org: "acme", q: $q) { nodes { id } } }';
        expect(codesOf(await app.graphql(document, { q }, { as: 'ada' }))).toEqual(['validation_failed']);
        const products = 'query ($q: String) { products(q: $q) { nodes { id } } }';
        expect(codesOf(await app.graphql(products, { q }, { as: 'ada' }))).toEqual(['validation_failed']);
      }
      const all = await app.graphql(
        '{ documents(org: "acme", q: null) { nodes { id } } }',
        {},
        { as: 'ada' },
      );
      expect(codesOf(all)).toEqual([]);
    });
  });
});
