/**
 * Searching more rows than one statement may read: for common or rare, new or old words, both engines return
 * the same from either end, and look words up instead of scanning the table.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type SearchWords, tokenOfOrganisation } from '../../src/core/search.ts';
import { migrate } from '../../src/db/open.ts';
import { searchReadableIds } from '../../src/db/queries/document-lists.ts';
import type { SearchPosition } from '../../src/db/queries/shared/searching.ts';
import { storedTokens } from '../../src/db/sqlite/dialect.ts';
import { PART_SIZES, partToken } from '../../src/db/words.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { fastest } from '../support/timing.ts';
import { explainPostgres, explainSqlite, rowsRead } from './plans.ts';

const DOCUMENTS = 6000;
/** The distance between ids, so that they belong to many parts of the index. */
const STEP = 100;

/** Whether a document has a word in its title or its text, by its number. */
const WORDS: Readonly<Record<string, { title?: (n: number) => boolean; body?: (n: number) => boolean }>> = {
  everywhere: { body: () => true },
  titled: { title: (n) => n % 3 === 0, body: (n) => n % 3 === 0 },
  rare: { body: (n) => n % 1999 === 7 },
  old: { body: (n) => n < 2500 },
  ancient: { body: (n) => n < 20 },
  recent: { body: (n) => n > DOCUMENTS - 600 },
  mixed: { title: (n) => n % 500 === 1, body: (n) => n % 10 === 1 },
  beginning: { title: (n) => n % 50 === 2, body: (n) => n % 50 === 2 },
  // In the text of half of the documents whose title has a word that begins with it.
  begin: { body: (n) => n % 20 === 2 },
};

const tokensOfDocument = (n: number): string[] =>
  Object.entries(WORDS).flatMap(([word, { title, body }]) => [
    ...(title?.(n) ? [`t${word}`] : []),
    ...(title?.(n) || body?.(n) ? [`w${word}`] : []),
  ]);

/** By the number of the document. */
const TOKENS = Array.from({ length: DOCUMENTS + 1 }, (_, n) => new Set(tokensOfDocument(n)));

const orgOf = (n: number) => (n % 4 === 3 ? 'globex' : 'acme');
const idOf = (n: number) => n * STEP;
const isHidden = (n: number) => n % 5 === 4;

async function fill({ place, name }: TestEngine): Promise<void> {
  const isSqlite = name === 'sqlite';
  const now = isSqlite ? '1767225600000' : "timestamptz '2026-01-01T00:00:00Z'";
  await place.query(
    `insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now}), ('globex', 'G', ${now})`,
  );
  await place.query(`insert into users (id, org, email, name, role, created_at, updated_at)
    values (1, 'acme', 'a@acme.test', 'A', 'admin', ${now}, ${now}), (2, 'acme', 'b@acme.test', 'B', 'viewer', ${now}, ${now})`);
  const CHUNK = 1000;
  for (let from = 1; from <= DOCUMENTS; from += CHUNK) {
    const numbers = Array.from({ length: CHUNK }, (_, index) => from + index);
    const documents = numbers.map(
      (n) =>
        `(${idOf(n)}, '${orgOf(n)}', 1, 'T', '', '${isHidden(n) ? 'confidential' : 'internal'}', ${now}, ${now})`,
    );
    await place.query(
      `insert into documents (id, org, author_id, title, body, classification, created_at, updated_at) values ${documents.join()}`,
    );
    const words = numbers.map((n) => {
      const parts = PART_SIZES[name].map((size) => partToken(size, Math.floor(idOf(n) / size)));
      const tokens = [tokenOfOrganisation(orgOf(n)), ...(TOKENS[n] ?? []), ...parts];
      const stored = isSqlite
        ? `'${storedTokens(tokens)}'`
        : `array_to_tsvector(array[${tokens.map((token) => `'${token}'`).join()}])`;
      return `(${idOf(n)}, '${orgOf(n)}', ${stored})`;
    });
    await place.query(`insert into search_documents (rowid, org, tokens) values ${words.join()}`);
  }
  if (!isSqlite) await place.query('vacuum analyze documents, search_documents');
}

/** The expected results of a search: by rank, and newest first within each rank. */
function expected(words: SearchWords, mayRead: (n: number) => boolean): string[] {
  const last = words.at(-1) ?? '';
  const ranks = [1, 2, 3].map((): string[] => []);
  for (let n = DOCUMENTS; n > 0; n -= 1) {
    if (orgOf(n) !== 'acme' || !mayRead(n)) continue;
    const tokens = TOKENS[n] ?? new Set<string>();
    const has = (field: string, all: readonly string[]) => all.every((word) => tokens.has(field + word));
    const begins = [...tokens].some((token) => token.startsWith(`t${last}`));
    if (has('t', words)) ranks[0]?.push(`0:${idOf(n)}`);
    else if (has('t', words.slice(0, -1)) && begins) ranks[1]?.push(`1:${idOf(n)}`);
    else if (has('w', words)) ranks[2]?.push(`2:${idOf(n)}`);
  }
  return ranks.flat();
}

const SEARCHES: readonly SearchWords[] = [
  ['everywhere'],
  ['titled'],
  ['rare'],
  ['old'],
  ['ancient'],
  ['recent'],
  ['mixed'],
  ['begin'],
  ['everywhere', 'rare'],
  ['titled', 'old'],
  ['titled', 'begin'],
  ['recent', 'old'],
  ['absent'],
];

const LIMIT = 50;

describeEachEngine(`searching among ${DOCUMENTS} documents`, (engine) => {
  beforeAll(() => fill(engine));

  describe.each([
    { as: 'an administrator', readerId: 1, role: 'admin' as const, mayRead: () => true },
    { as: 'a viewer', readerId: 2, role: 'viewer' as const, mayRead: (n: number) => !isHidden(n) },
  ])('as $as', ({ readerId, role, mayRead }) => {
    const reader = { org: 'acme', readerId, role };

    test.each(
      SEARCHES.flatMap((words) => (['forwards', 'backwards'] as const).map((way) => ({ words, way }))),
    )('for $words, $way', async ({ words, way }) => {
      const list = expected(words, mayRead);
      const wanted = way === 'forwards' ? list : list.toReversed();
      const found: string[] = [];
      let from: SearchPosition | undefined;
      // Some pages of the longest lists, enough to reach other parts and ranks.
      for (let page = 0; page < 25; page += 1) {
        const { rows, stoppedAt } = await searchReadableIds(
          engine.database,
          { ...reader, words, classification: null },
          from,
          LIMIT,
          way,
        );
        found.push(...rows.map(({ rank, id }) => `${rank}:${id}`));
        const last = rows.at(-1);
        from = stoppedAt ?? (last && [last.rank, last.id]);
        if (!from || (rows.length < LIMIT && !stoppedAt)) break;
      }
      expect(found).toEqual(wanted.slice(0, found.length));
      expect(found.length).toBeGreaterThanOrEqual(Math.min(wanted.length, 10 * LIMIT));
    });
  });

  describe.each(['forwards', 'backwards'])('a statement that reads %s', (way) => {
    const org = tokenOfOrganisation('acme');
    const QUERIES = {
      'a rare word': [`"${org}wrare"`, `'${org}' & 'wrare'`],
      'the beginning of a word': [`"${org}tbegin" *`, `'${org}' & 'tbegin':*`],
      'words and an exclusion': [
        `("${org}wtitled" AND "${org}wold") NOT ("${org}ttitled")`,
        `'${org}' & 'wtitled' & 'wold' & !('ttitled')`,
      ],
    };

    test.each(Object.entries(QUERIES))('looks up %s', async (_name, [fts = '', tsquery = '']) => {
      const params = {
        org: 'acme',
        readerId: 2,
        role: 'viewer',
        classification: null,
        query: engine.name === 'sqlite' ? fts : tsquery,
        fromId: way === 'forwards' ? 1_000_000 : 0,
        most: 501,
        limit: 20,
      };
      const name = `documents.search.${way}`;
      if (engine.name === 'sqlite') {
        const plan = await explainSqlite(engine, name, params);
        expect(plan.join('\n')).toMatch(/search_documents VIRTUAL TABLE INDEX \d+:M/);
        expect(plan.filter((line) => /^SCAN documents/.test(line))).toEqual([]);
        return;
      }
      const plan = await explainPostgres(engine, name, params);
      expect(JSON.stringify(plan)).toContain('search_documents_by_tokens');
      expect(rowsRead(plan, 'search_documents')).toBeLessThanOrEqual(501);
      expect(rowsRead(plan, 'documents')).toBeLessThanOrEqual(20);
    });
  });
});

describeEachEngine(
  'a search in an organisation',
  (engine) => {
    const TIMES = 9;

    /** The shortest time in milliseconds. The engine searches within the turn of the event loop. */
    function timeOfSearch(): Promise<number> {
      const reader = { org: 'acme', readerId: 1, role: 'admin' as const };
      const search = { ...reader, words: ['rep'], classification: null } as const;
      return fastest(TIMES, () => searchReadableIds(engine.database, search, undefined, 20, 'forwards'));
    }

    /** Adds documents of another organisation to the index. */
    const add = (first: number, last: number) =>
      engine.place.query(`insert into search_documents (rowid, org, tokens)
        with recursive c(n) as (select ${first} union all select n + 1 from c where n < ${last})
        select n, 'globex', replace('${storedTokens([tokenOfOrganisation('globex'), 'treport#', 'wreport#'])}', '#', n) from c`);

    test('does not take longer with more documents of others', async () => {
      await add(1, 1000);
      const few = await timeOfSearch();
      await add(1001, 50_000);
      expect(await timeOfSearch()).toBeLessThan(10 * few);
    });
  },
  'sqlite',
);

describeEachEngine('rows from before search existed', (engine) => {
  const FORGET = {
    sqlite: ['documents', 'products'].map(
      (name) => `insert into search_${name} (search_${name}) values ('delete-all')`,
    ),
    postgres: ['truncate search_documents, search_products'],
  };
  const everyWord = (searched: string) => `select rowid as id from search_${searched} order by rowid`;

  test('are found after the migration, like rows written now', async () => {
    const place = await engine.create('demo');
    const before = await Promise.all(['documents', 'products'].map((name) => place.query(everyWord(name))));
    expect(before.map((rows) => rows.length)).not.toContain(0);
    for (const sql of FORGET[engine.name]) await place.query(sql);
    await place.query(`update documents set deleted_at = created_at where id = 2`);
    await place.query(`update documents set title = 'Café, Zürich' where id = 1`);

    await migrate(place.url);

    const [documents, products] = await Promise.all(
      ['documents', 'products'].map((name) => place.query(everyWord(name))),
    );
    expect(documents).toEqual(before[0]?.filter(({ id }) => Number(id) !== 2));
    expect(products).toEqual(before[1]);
    const database = await place.open();
    const reader = { org: 'acme', readerId: 1, role: 'admin' as const };
    for (const words of [['cafe'], ['cafe', 'zurich']] as const) {
      const search = { ...reader, words, classification: null } as const;
      const { rows } = await searchReadableIds(database, search, undefined, 10, 'forwards');
      expect(rows).toEqual([{ rank: 0, id: 1 }]);
    }
    await database.close();
  });

  test('are not changed by further migrations', async () => {
    const place = await engine.create('demo');
    await place.query(`update documents set title = 'Changed past the server' where id = 1`);
    await migrate(place.url);
    const database = await place.open();
    const reader = { org: 'acme', readerId: 1, role: 'admin' as const };
    const search = { ...reader, words: ['changed'], classification: null } as const;
    expect((await searchReadableIds(database, search, undefined, 10, 'forwards')).rows).toEqual([]);
    await database.close();
  });
});
