/** Lists of documents of an organisation and of a user: filters, pages, refusals and the number of statements. */
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { DOCS, demoDocument, shareDocument, writeDocument } from '../support/fixtures/documents.ts';
import type { CursorPage, Document } from '../support/response-bodies.ts';

describeEachEngine('lists of documents', (engine) => {
  const app = startApp(engine);

  test('the list has the documents that the caller may read, ordered by id', async () => {
    const ofVic = await app.get<CursorPage<Document>>(DOCS, { as: 'vic' });
    expect(ofVic.body).toEqual({ data: [demoDocument(1), demoDocument(2)], next_cursor: null });
    const ofAda = await app.get<CursorPage<Document>>(DOCS, { as: 'ada' });
    expect(ofAda.body).toEqual({
      data: [demoDocument(1), demoDocument(2), demoDocument(3)],
      next_cursor: null,
    });
    const ofGil = await app.get<CursorPage<Document>>('/v1/orgs/globex/docs', { as: 'gil' });
    expect(ofGil.body).toEqual({ data: [demoDocument(4)], next_cursor: null });
  });

  test('paging by cursor leaves no gap for hidden documents, and new ones come last', async () => {
    for (const classification of ['confidential', 'internal', 'confidential', 'public'] as const) {
      await writeDocument(app, 'ada', { classification });
    }
    const walk = async (path: string, as: 'ada' | 'vic') => {
      const pages: number[][] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: string = cursor && `&cursor=${cursor}`;
        const { body, status } = await app.get<CursorPage<Document>>(`${path}${query}`, { as });
        expect(status).toBe(200);
        pages.push(body.data.map(({ id }) => id));
        cursor = body.next_cursor;
      }
      return pages;
    };
    const all = (await walk(`${DOCS}?limit=100`, 'vic')).flat();
    expect(all.length).toBeGreaterThanOrEqual(4);
    const paged = await walk(`${DOCS}?limit=1`, 'vic');
    expect(paged).toEqual(all.map((id) => [id]));
    expect((await walk(`${DOCS}?limit=2`, 'ada')).flat()).toEqual((await walk(DOCS, 'ada')).flat());

    const first = await app.get<CursorPage<Document>>(`${DOCS}?limit=${all.length - 1}`, { as: 'vic' });
    const added = await writeDocument(app);
    const rest = await app.get<CursorPage<Document>>(`${DOCS}?cursor=${first.body.next_cursor}`, {
      as: 'vic',
    });
    expect(rest.body.data.map(({ id }) => id)).toEqual([all.at(-1), added.id]);
  });

  test.each(['public', 'internal', 'confidential'])('the list is filtered: %s', async (classification) => {
    for (const person of ['ada', 'vic'] as const) {
      const all = await app.get<CursorPage<Document>>(`${DOCS}?limit=100`, { as: person });
      const some = await app.get<CursorPage<Document>>(`${DOCS}?limit=100&classification=${classification}`, {
        as: person,
      });
      expect(some.body.data).toEqual(all.body.data.filter((row) => row.classification === classification));
      expect(some.body.data.length > 0).toBe(person === 'ada' || classification !== 'confidential');
    }
  });

  test('a cursor of a filtered list is refused without the filter', async () => {
    const path = `${DOCS}?limit=1&classification=internal`;
    const { next_cursor } = (await app.get<CursorPage<Document>>(path, { as: 'ada' })).body;
    const response = await app.get(`${DOCS}?cursor=${next_cursor}`, { as: 'ada' });
    expectError(response, { status: 400, code: 'invalid_cursor' });
  });

  describe('documents of an author', () => {
    const written = async (given: string, as: 'ada' | 'vic' = 'ada') => {
      const query = `{ user(id: 2) { documents${given} { id } } }`;
      const { body } = await app.graphql<{ user: { documents: { id: string }[] } }>(query, {}, { as });
      return body.data?.user.documents.map(({ id }) => Number(id));
    };

    test('from either end, in order of creation', async () => {
      expect(await written('')).toEqual([]);
      const ids: number[] = [];
      for (const classification of ['public', 'confidential', 'internal'] as const) {
        ids.push((await writeDocument(app, 'ed', { classification })).id);
      }
      expect(await written('')).toEqual(ids);
      expect(await written('(first: 2)')).toEqual(ids.slice(0, 2));
      expect(await written('(last: 2)')).toEqual(ids.slice(1));
      // A hidden document does not take a place on a short page.
      expect(await written('(first: 2)', 'vic')).toEqual([ids[0], ids[2]]);
      expect(await written('(last: 2)', 'vic')).toEqual([ids[0], ids[2]]);
    });

    test.each(['(first: 1, last: 1)', '(first: 0)', '(last: -1)'])('%s is refused', async (given) => {
      const query = `{ user(id: 2) { documents${given} { id } } }`;
      expect(codesOf(await app.graphql(query, {}, { as: 'ada' }))).toEqual(['validation_failed']);
    });

    test('requires read:docs', async () => {
      const reader = await app.signIn('ada', ['read:users']);
      const query = '{ user(id: 2) { documents { id } } }';
      expect(codesOf(await app.graphql(query, {}, { as: reader }))).toEqual(['insufficient_scope']);
    });
  });

  describe('runs the same number of statements for any number of documents', () => {
    beforeAll(async () => {
      for (let n = 0; n < 30; n += 1) await writeDocument(app, n % 2 ? 'ada' : 'ed');
    });

    const NODES = 'author { name } shares { user { name } } history(first: 2) { nodes { actor { name } } }';
    test.each([
      { given: 'the list', query: '{ documents(org: "acme", first: $n) { nodes { title } } }', most: 2 },
      {
        given: 'the list with authors and shares',
        query: '{ documents(org: "acme", first: $n) { nodes { author { name } shares { relation } } } }',
        most: 4,
      },
      {
        given: 'the list with all fields',
        query: `{ documents(org: "acme", first: $n) { nodes { ${NODES} } } }`,
        most: 6,
      },
      {
        given: 'what users wrote',
        query: '{ documents(org: "acme", first: $n) { nodes { author { documents(last: 3) { title } } } } }',
        most: 4,
      },
    ])('$given: at most $most', async ({ query, most }) => {
      await Promise.all([shareDocument(app, 1, 2, 'reader'), shareDocument(app, 3, 2, 'writer')]);
      await writeDocument(app, 'ed');
      for (const n of [1, 30]) {
        const response = await app.graphql(query.replace('$n', String(n)), {}, { as: 'ada' });
        expect(response.body.errors).toBeUndefined();
        expect(app.statements.length, app.statements.join()).toBeLessThanOrEqual(most);
      }
    });

    test('the route of the list searches, searches once more where documents are hidden, reads the rows once, and then the texts in batches', async () => {
      await app.get(`${DOCS}?limit=100`, { as: 'vic' });
      const texts = app.statements.filter((name) => name === 'documents.bodies');
      expect(texts.length).toBeLessThanOrEqual(100 / LIMITS.bodiesReadAtOnce);
      expect(app.statements.length - texts.length).toBeLessThanOrEqual(3);
      expect(new Set(app.statements)).toEqual(
        new Set(['documents.look', 'documents.readableByIds', 'documents.bodies']),
      );
    });
  });
});
