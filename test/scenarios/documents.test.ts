/** Documents of an organisation, and with whom they are shared: the routes, and the graph where it differs. */
import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, documents as demoDocuments } from '../../src/demo/data.ts';
import { LIMITS } from '../../src/limits.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { DOORS, shareDocument, writeDocument } from '../support/documents.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addPerson } from '../support/rows.ts';
import type { CursorPage, Document, Session, Share } from '../support/shapes.ts';

const DOCS = '/v1/orgs/acme/docs';
const pathOf = ({ id }: Document) => `${DOCS}/${id}`;
const NOTES = { title: 'Notes', body: 'Some notes.' };
const NOW = '2026-09-01T12:00:00.000Z';

/** What a client of a route sees of a document of the demo. */
function demo(id: number) {
  const row = demoDocuments.find((document) => document.id === id);
  if (!row) throw new Error(`The demo has no document ${id}.`);
  const { org, title, body, classification, authorId, createdAt } = row;
  const at = createdAt.toISOString();
  return { id, org, title, body, classification, author_id: authorId, created_at: at, updated_at: at };
}

describeEachEngine('reading documents', (engine) => {
  const app = startApp(engine);

  test('one is answered whole, with its version as ETag', async () => {
    const answer = await app.get<Document>(`${DOCS}/3`, { as: 'ada' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(demo(3));
    expect(answer.headers.get('etag')).toBe('"v1"');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const again = await app.get(`${DOCS}/3`, { as: 'ada', headers: { 'if-none-match': '"v1"' } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await app.get(`${DOCS.replace('v1', 'v2')}/3`, { as: 'ada' })).body).toEqual(demo(3));
  });

  test('the graph answers with the shape that it was asked for', async () => {
    const query = `{
      document(org: "acme", id: 3) {
        id org title classification authorId author { name } shares { userId } version
        history { nodes { type cursor actor { id name } subjectType subjectId data createdAt } hasNextPage }
      }
    }`;
    const { body } = await app.graphql(query, {}, { as: 'ada' });
    const { title, classification, created_at } = demo(3);
    expect(body).toEqual({
      data: {
        document: {
          id: '3',
          org: 'acme',
          title,
          classification,
          authorId: '1',
          author: { name: 'Ada Brandt' },
          shares: [],
          version: 1,
          history: {
            nodes: [
              {
                type: 'document.created',
                cursor: expect.stringMatching(/^[\w-]{20,}$/),
                actor: { id: '1', name: 'Ada Brandt' },
                subjectType: 'document',
                subjectId: '3',
                data: { classification },
                createdAt: created_at,
              },
            ],
            hasNextPage: false,
          },
        },
      },
    });
  });

  test('the list has those that the caller may read, in order of id', async () => {
    const ofVic = await app.get<CursorPage<Document>>(DOCS, { as: 'vic' });
    expect(ofVic.body).toEqual({ data: [demo(1), demo(2)], next_cursor: null });
    const ofAda = await app.get<CursorPage<Document>>(DOCS, { as: 'ada' });
    expect(ofAda.body).toEqual({ data: [demo(1), demo(2), demo(3)], next_cursor: null });
    const ofGil = await app.get<CursorPage<Document>>('/v1/orgs/globex/docs', { as: 'gil' });
    expect(ofGil.body).toEqual({ data: [demo(4)], next_cursor: null });
  });

  test('it is walked by cursor, without a gap where some are hidden, and what is added meanwhile comes at its end', async () => {
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

  test('a size above 100 is 100', async () => {
    await Promise.all(Array.from({ length: 101 }, () => writeDocument(app)));
    const { body } = await app.get<CursorPage<Document>>(`${DOCS}?limit=1000`, { as: 'ada' });
    expect(body.data).toHaveLength(100);
    expect(body.next_cursor).not.toBeNull();
    expect((await app.get<CursorPage<Document>>(DOCS, { as: 'ada' })).body.data).toHaveLength(20);
  });

  describe('what a list does not take', () => {
    test.each([
      ['limit=0', 'validation', 'limit'],
      ['limit=-1', 'validation', 'limit'],
      ['limit=x', 'validation', 'limit'],
      ['classification=secret', 'validation', 'classification'],
      ['page=2', 'unknown_parameter', 'page'],
    ])('%s', async (query, kind, path) => {
      const code = kind === 'validation' ? 'invalid_parameter' : kind;
      expectError(await app.get(`${DOCS}?${query}`, { as: 'ada' }), { status: 400, code, paths: [path] });
    });

    test('a cursor of another list', async () => {
      const cursorOf = async (path: string, as: 'ada' | 'gil') =>
        (await app.get<CursorPage<Document>>(path, { as })).body.next_cursor;
      await app.post('/v1/orgs/globex/docs', { as: 'gil', body: NOTES });
      const foreign = [
        await cursorOf(`${DOCS}?limit=1&classification=internal`, 'ada'),
        await cursorOf('/v1/orgs/globex/docs?limit=1', 'gil'),
        await cursorOf('/v1/products?limit=1', 'ada'),
        'invented',
      ];
      for (const cursor of foreign) {
        expect(cursor).not.toBeNull();
        expectError(await app.get(`${DOCS}?cursor=${cursor}`, { as: 'ada' }), {
          status: 400,
          code: 'invalid_cursor',
        });
      }
    });
  });

  test('what is not there is 404, and null in the graph', async () => {
    expectError(await app.get(`${DOCS}/999999`, { as: 'ada' }), { status: 404, code: 'not_found' });
    expectError(await app.get(`${DOCS}/abc`, { as: 'ada' }), {
      status: 400,
      code: 'invalid_parameter',
      paths: ['doc_id'],
    });
    for (const id of ['999999', 'abc', '0', '9007199254740993']) {
      const { body } = await app.graphql(`{ document(org: "acme", id: "${id}") { id } }`, {}, { as: 'ada' });
      expect(body).toEqual({ data: { document: null } });
    }
  });

  describe('history', () => {
    interface History {
      readonly nodes: readonly { readonly id: string; readonly type: string; readonly cursor: string }[];
      readonly endCursor: string | null;
      readonly nextCursor: string | null;
      readonly hasNextPage: boolean;
    }
    const page = (id: number, size: string) =>
      app
        .graphql<{ document: { history: History } }>(
          `query ($id: ID!) { document(org: "acme", id: $id) {
            history(${size}) { nodes { id type cursor } endCursor nextCursor hasNextPage } } }`,
          { id },
          { as: 'ada' },
        )
        .then(({ body, text }) => {
          if (!body.data) throw new Error(text);
          return body.data.document.history;
        });

    test('is walked from the newest on, and what happens meanwhile does not shift it', async () => {
      const document = await writeDocument(app);
      for (const title of ['A', 'B', 'C']) await app.patch(pathOf(document), { as: 'ada', body: { title } });
      await shareDocument(app, document.id, 3, 'reader');
      const whole = await page(document.id, 'first: 100');
      expect(whole.nodes.map(({ type }) => type)).toEqual([
        'document.shared',
        'document.updated',
        'document.updated',
        'document.updated',
        'document.created',
      ]);
      expect(whole).toMatchObject({ hasNextPage: false, nextCursor: null });

      const first = await page(document.id, 'first: 2');
      expect(first).toMatchObject({ hasNextPage: true, nextCursor: first.endCursor });
      await app.patch(pathOf(document), { as: 'ada', body: { title: 'D' } });
      const second = await page(document.id, `first: 2, after: "${first.endCursor}"`);
      const third = await page(document.id, `after: "${second.nodes[1]?.cursor}"`);
      const ids = [first, second, third].flatMap(({ nodes }) => nodes.map((node) => node.id));
      expect(ids).toEqual(whole.nodes.map((node) => node.id));
      expect(await page(document.id, `after: "${third.endCursor}"`)).toEqual({
        nodes: [],
        endCursor: null,
        nextCursor: null,
        hasNextPage: false,
      });
    });

    test('takes no cursor of another document, and no empty one', async () => {
      const { endCursor } = await page(1, 'first: 1');
      for (const after of [endCursor, '']) {
        const query = `{ document(org: "acme", id: 2) { history(after: "${after}") { nodes { id } } } }`;
        expect(codesOf(await app.graphql(query, {}, { as: 'ada' }))).toEqual(['invalid_cursor']);
      }
    });

    test('has nothing of an order with the same id', async () => {
      const { nodes } = await page(2, 'first: 100');
      expect(nodes.map(({ type }) => type)).toEqual(['document.created']);
    });
  });

  describe('what a person wrote', () => {
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
      // A hidden one takes no place among the few.
      expect(await written('(first: 2)', 'vic')).toEqual([ids[0], ids[2]]);
      expect(await written('(last: 2)', 'vic')).toEqual([ids[0], ids[2]]);
    });

    test.each(['(first: 1, last: 1)', '(first: 0)', '(last: -1)'])('%s is refused', async (given) => {
      const query = `{ user(id: 2) { documents${given} { id } } }`;
      expect(codesOf(await app.graphql(query, {}, { as: 'ada' }))).toEqual(['validation_failed']);
    });

    test('needs read:docs', async () => {
      const reader = await app.signIn('ada', ['read:users']);
      const query = '{ user(id: 2) { documents { id } } }';
      expect(codesOf(await app.graphql(query, {}, { as: reader }))).toEqual(['insufficient_scope']);
    });
  });

  describe('takes as many statements for many documents as for one', () => {
    const NODES = 'author { name } shares { user { name } } history(first: 2) { nodes { actor { name } } }';
    test.each([
      { given: 'the list', query: '{ documents(org: "acme", first: $n) { nodes { title } } }', most: 1 },
      {
        given: 'the list with authors and shares',
        query: '{ documents(org: "acme", first: $n) { nodes { author { name } shares { relation } } } }',
        most: 3,
      },
      {
        given: 'the list with all there is',
        query: `{ documents(org: "acme", first: $n) { nodes { ${NODES} } } }`,
        most: 5,
      },
      {
        given: 'what people wrote',
        query: '{ documents(org: "acme", first: $n) { nodes { author { documents(last: 3) { title } } } } }',
        most: 3,
      },
    ])('$given: at most $most', async ({ query, most }) => {
      await Promise.all([shareDocument(app, 1, 2, 'reader'), shareDocument(app, 3, 2, 'writer')]);
      await writeDocument(app, 'ed');
      for (const n of [1, 30]) {
        const answer = await app.graphql(query.replace('$n', String(n)), {}, { as: 'ada' });
        expect(answer.body.errors).toBeUndefined();
        expect(app.statements.length, app.statements.join()).toBeLessThanOrEqual(most);
      }
    });

    test('the route of the list takes one', async () => {
      await app.get(`${DOCS}?limit=100`, { as: 'vic' });
      expect(app.statements).toEqual(['documents.after']);
    });
  });
});

describeEachEngine('writing documents', (engine) => {
  const app = startApp(engine);

  describe('creating', () => {
    test('answers 201 with the document and its place, and tells of it without its text', async () => {
      const before = (await app.events()).at(-1)?.id;
      const sent = { ...NOTES, classification: 'confidential' };
      const answer = await app.post<Document>(DOCS, { as: 'ed', body: sent });
      const { id } = answer.body;
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.any(Number),
        org: 'acme',
        ...sent,
        author_id: 2,
        created_at: NOW,
        updated_at: NOW,
      });
      expect(answer.headers.get('location')).toBe(`${DOCS}/${id}`);
      expect(answer.headers.get('etag')).toBe('"v1"');
      expect((await app.get(answer.headers.get('location') ?? '', { as: 'ed' })).body).toEqual(answer.body);
      expect(await app.events(before)).toEqual([
        {
          id: expect.any(Number),
          org: 'acme',
          type: 'document.created',
          actorId: 2,
          subjectType: 'document',
          subjectId: id,
          data: { classification: 'confidential' },
        },
      ]);
      const v2 = await app.post(DOCS.replace('v1', 'v2'), { as: 'ed', body: sent });
      expect(v2.headers.get('location')).toMatch(/^\/v2\/orgs\/acme\/docs\/\d+$/);
    });

    test('is internal when it says nothing of it, through both doors', async () => {
      expect((await writeDocument(app)).classification).toBe('internal');
      const nothing = await app.post<Document>(DOCS, { as: 'ada', body: { ...NOTES, classification: null } });
      expect(nothing.body.classification).toBe('internal');
      const create = 'createDocument(org: "acme", input: { title: "A", body: "" }) { classification }';
      const { body } = await app.graphql(`mutation { ${create} }`, {}, { as: 'ada' });
      expect(body).toEqual({ data: { createDocument: { classification: 'internal' } } });
    });

    test.each([
      [{ body: '' }, ['title']],
      [{ title: 'A' }, ['body']],
      [{}, ['title', 'body']],
      [{ ...NOTES, title: '' }, ['title']],
      [{ ...NOTES, title: 'x'.repeat(201) }, ['title']],
      [{ ...NOTES, title: 7 }, ['title']],
      [{ ...NOTES, title: null }, ['title']],
      [{ ...NOTES, body: ['a'] }, ['body']],
      [{ ...NOTES, body: 'x'.repeat(100_001) }, ['body']],
      [{ ...NOTES, classification: 'secret' }, ['classification']],
      [{ ...NOTES, author_id: 2 }, ['author_id']],
      [{ ...NOTES, org: 'globex', id: 5, version: 3 }, ['org', 'id', 'version']],
      [{ ...NOTES, title: 'a\0b' }, ['title']],
      [{ ...NOTES, title: 'a\ud800' }, ['title']],
      [{ title: '\udc00', body: '\0' }, ['title', 'body']],
    ])('%j is 422', async (body, paths) => {
      const answer = await writesNothing(app, () => app.post(DOCS, { as: 'ada', body }));
      expectError(answer, { status: 422, code: 'validation_failed', paths });
    });

    test('of texts as long as they may be', async () => {
      const longest = { title: 'x'.repeat(200), body: 'y'.repeat(100_000) };
      const document = await writeDocument(app, 'ada', longest);
      expect(await app.get<Document>(pathOf(document), { as: 'ada' })).toMatchObject({ body: longest });
      // Three bytes each.
      const fits = await writeDocument(app, 'ada', { body: '字'.repeat(87_000) });
      expect(fits.body).toHaveLength(87_000);
      const answer = await writesNothing(app, () =>
        app.post(DOCS, { as: 'ada', body: { title: 'A', body: '字'.repeat(100_000) } }),
      );
      expectError(answer, { status: 413, code: 'body_too_large' });
    });

    test('of texts of every kind, which come back as they were sent', async () => {
      const text = 'Zoë “𝒪” 👩‍🔧 \t\n\r\n \\ \' " </script> \u0001 ﷽';
      const document = await writeDocument(app, 'ada', { title: text, body: text });
      expect(document).toMatchObject({ title: text, body: text });
      expect((await app.events()).at(-1)?.data).toEqual({ title: text, classification: 'internal' });
    });

    test('takes write:docs', async () => {
      for (const as of ['vic', await app.signIn('ada', ['read:docs'])] as const) {
        const answer = await writesNothing(app, () => app.post(DOCS, { as, body: NOTES }));
        expectError(answer, { status: 403, code: 'insufficient_scope' });
      }
    });
  });

  describe('changing', () => {
    const WHOLE = { title: 'New', body: 'Other.', classification: 'public' };

    test('PUT replaces all that a client writes', async () => {
      const document = await writeDocument(app, 'ed');
      app.clock.advance(1000);
      const { body: before } = await app.get<Document>(pathOf(document), { as: 'ada' });
      const answer = await app.put<Document>(pathOf(document), { as: 'ada', body: WHOLE });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...before, ...WHOLE, updated_at: answer.body.updated_at });
      expect(answer.body.updated_at > before.updated_at).toBe(true);
      expect(answer.body.author_id).toBe(2);
      expect(answer.headers.get('etag')).toBe('"v2"');
      expect((await app.events()).at(-1)).toMatchObject({
        type: 'document.updated',
        actorId: 1,
        subjectId: document.id,
        data: { title: 'New', classification: 'public' },
      });
    });

    test.each([
      [{ title: 'New' }, { title: 'New' }],
      [{ body: '' }, { body: '' }],
      [{ classification: 'confidential' }, { classification: 'confidential' }],
      [WHOLE, WHOLE],
    ])('PATCH with %j changes that and leaves the rest', async (body, expected) => {
      const document = await writeDocument(app);
      const answer = await app.patch<Document>(pathOf(document), { as: 'ada', body });
      expect(answer.body).toEqual({ ...document, ...expected, updated_at: answer.body.updated_at });
      expect((await app.get(pathOf(document), { as: 'ada' })).body).toEqual(answer.body);
    });

    test('PATCH with nothing changes nothing and says what there is', async () => {
      const document = await writeDocument(app);
      const answer = await writesNothing(app, () => app.patch(pathOf(document), { as: 'ada', body: {} }));
      expect([answer.status, answer.body]).toEqual([200, document]);
      expect(answer.headers.get('etag')).toBe('"v1"');
    });

    test.each([
      ['PUT', { title: 'A', body: 'B' }, ['classification']],
      ['PUT', { title: 'A', classification: 'public' }, ['body']],
      ['PUT', { body: 'B', classification: 'public' }, ['title']],
      ['PUT', { ...WHOLE, title: null }, ['title']],
      ...['id', 'org', 'author_id', 'version', 'created_at', 'updated_at'].flatMap(
        (name): [string, Record<string, unknown>, string[]][] => [
          ['PUT', { ...WHOLE, [name]: 1 }, [name]],
          ['PATCH', { title: 'New', [name]: 1 }, [name]],
        ],
      ),
      ['PATCH', { title: null }, ['title']],
      ['PATCH', { body: null }, ['body']],
      ['PATCH', { classification: null }, ['classification']],
      ['PATCH', { title: '', body: 'x'.repeat(100_001) }, ['title', 'body']],
      ['PATCH', { title: 'a\0' }, ['title']],
    ])('%s with %j is 422 and nothing changed', async (method, body, paths) => {
      const document = await writeDocument(app);
      const answer = await writesNothing(app, () =>
        app.request(method, pathOf(document), { as: 'ada', body }),
      );
      expectError(answer, { status: 422, code: 'validation_failed', paths });
      expect((await app.get(pathOf(document), { as: 'ada' })).body).toEqual(document);
    });

    test.each(['PUT', 'PATCH', 'DELETE'])('%s applies to the version of If-Match alone', async (method) => {
      const document = await writeDocument(app);
      const send = (tag: string) =>
        app.request(method, pathOf(document), {
          as: 'ada',
          headers: { 'if-match': tag },
          ...(method !== 'DELETE' && { body: WHOLE }),
        });
      for (const stale of ['"v2"', 'W/"v1"', '"other"']) {
        const answer = await writesNothing(app, () => send(stale));
        expectError(answer, { status: 412, code: 'precondition_failed' });
      }
      expect((await send('"v7", "v1"')).status).toBe(method === 'DELETE' ? 204 : 200);
      if (method === 'DELETE') return;
      expectError(await send('"v1"'), { status: 412, code: 'precondition_failed' });
      expect((await send('*')).headers.get('etag')).toBe('"v3"');
    });

    test('an empty change asks for the version, too', async () => {
      const document = await writeDocument(app);
      const headers = { 'if-match': '"v2"' };
      const answer = await app.patch(pathOf(document), { as: 'ada', body: {}, headers });
      expectError(answer, { status: 412, code: 'precondition_failed' });
    });

    engine.testConcurrent('of many who change one version, one does', async () => {
      const document = await writeDocument(app);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          app.patch<Document>(pathOf(document), {
            as: 'ada',
            body: { title: `By ${n}` },
            headers: { 'if-match': '"v1"' },
          }),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
      expect((await app.get(pathOf(document), { as: 'ada' })).body).toEqual(won[0]?.body);
    });

    test('what is not there is 404 and is not made', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : WHOLE;
        const answer = await writesNothing(app, () =>
          app.request(method, `${DOCS}/999999`, { as: 'ada', body }),
        );
        expectError(answer, { status: 404, code: 'not_found' });
      }
    });
  });

  describe('deleting', () => {
    test('is for admins, and for nobody else whoever wrote it', async () => {
      const document = await writeDocument(app, 'ed');
      await shareDocument(app, document.id, 2, 'writer');
      for (const as of ['ed', 'vic'] as const) {
        const answer = await writesNothing(app, () => app.delete(pathOf(document), { as }));
        expectError(answer, { status: 403, code: 'insufficient_role' });
      }
      const narrowed = await app.signIn('ada', ['read:docs']);
      const answer = await writesNothing(app, () => app.delete(pathOf(document), { as: narrowed }));
      expectError(answer, { status: 403, code: 'insufficient_scope' });
      expect((await app.get(pathOf(document), { as: 'ed' })).body).toEqual(document);
    });

    test('happens once, and is 204 each time', async () => {
      const document = await writeDocument(app, 'ed', { classification: 'confidential' });
      const first = await app.delete(pathOf(document), { as: 'ada' });
      expect([first.status, first.text]).toEqual([204, '']);
      expect((await app.events()).at(-1)).toMatchObject({
        type: 'document.deleted',
        actorId: 1,
        subjectId: document.id,
      });
      expect((await app.events()).at(-1)?.data).toEqual({ classification: 'confidential' });
      const second = await writesNothing(app, () => app.delete(pathOf(document), { as: 'ada' }));
      expect(second.status).toBe(204);
      for (const as of ['ada', 'ed', 'vic'] as const) {
        expectError(await app.get(pathOf(document), { as }), { status: 404, code: 'not_found' });
      }
      const changed = await writesNothing(app, () =>
        app.patch(pathOf(document), { as: 'ada', body: { title: 'Back' } }),
      );
      expectError(changed, { status: 404, code: 'not_found' });
    });
  });
});

describeEachEngine('a person who left', (engine) => {
  const app = startApp(engine);

  test.each(DOORS)('writes nothing with the rest of a token, by $name', async (door) => {
    const email = `left-${door.name.toLowerCase()}@acme.test`;
    const id = await addPerson(engine, { email, role: 'admin' });
    const { body } = await app.post<Session>('/v1/auth/login', { body: { email, password: DEMO_PASSWORD } });
    const as = { token: body.access_token };
    const document = await writeDocument(app, as);
    expect(await door.share(app, document.id, as, 3, 'reader')).toBe('done');

    await engine.place.query(`update users set removed_at = created_at where id = ${id}`);
    for (const attempt of [
      () => door.update(app, document.id, as, { title: 'Still here' }),
      () => door.update(app, document.id, as, { classification: 'public' }),
      () => door.share(app, document.id, as, 2, 'writer'),
      () => door.unshare(app, document.id, as, 3),
      () => door.remove(app, document.id, as),
    ]) {
      expect(await writesNothing(app, attempt)).toBe('forbidden');
    }
    const created = await writesNothing(app, () => app.post(DOCS, { as, body: NOTES }));
    expectError(created, { status: 403, code: 'forbidden' });
    const mutation = 'mutation { createDocument(org: "acme", input: { title: "A", body: "" }) { id } }';
    const inGraph = await writesNothing(app, () => app.graphql(mutation, {}, { as }));
    expect(codesOf(inGraph)).toEqual(['forbidden']);
  });
});

describeEachEngine('sharing documents', (engine) => {
  const app = startApp(engine);
  const sharesOf = async (document: Document) => {
    const { body } = await app.get<{ data: Share[] }>(`${pathOf(document)}/shares`, { as: 'ada' });
    return body.data.map((share) => [share.user_id, share.relation]);
  };
  const newest = async () => (await app.events()).at(-1);

  test('adds, replaces and withdraws, and tells of each', async () => {
    const document = await writeDocument(app);
    const shares = `${pathOf(document)}/shares`;
    const post = (userId: number, relation: string) =>
      app.post<Share>(shares, { as: 'ada', body: { user_id: userId, relation } });
    const about = { actorId: 1, subjectType: 'document', subjectId: document.id };
    const data = { title: 'Notes', classification: 'internal', user_id: 3 };
    expect(await sharesOf(document)).toEqual([]);

    const added = await post(3, 'reader');
    expect(added.status).toBe(201);
    expect(added.body).toEqual({ user_id: 3, relation: 'reader', created_at: NOW });
    expect(added.headers.get('location')).toBe(`${shares}/3`);
    expect((await app.get(`${shares}/3`, { as: 'ada' })).body).toEqual(added.body);
    expect(await newest()).toMatchObject({
      type: 'document.shared',
      ...about,
      data: { ...data, relation: 'reader' },
    });

    await post(2, 'writer');
    const replaced = await post(3, 'writer');
    expect([replaced.status, replaced.body.relation]).toEqual([201, 'writer']);
    expect(await newest()).toMatchObject({
      type: 'document.shared',
      ...about,
      data: { ...data, relation: 'writer' },
    });
    expect(await sharesOf(document)).toEqual([
      [3, 'writer'],
      [2, 'writer'],
    ]);

    const same = await writesNothing(app, () => post(3, 'writer'));
    expect([same.status, same.body]).toEqual([201, replaced.body]);

    const gone = await app.delete(`${shares}/3`, { as: 'ada' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await newest()).toMatchObject({
      type: 'document.unshared',
      ...about,
      data: { ...data, relation: 'writer' },
    });
    const again = await writesNothing(app, () => app.delete(`${shares}/3`, { as: 'ada' }));
    expect(again.status).toBe(204);
    expect(await sharesOf(document)).toEqual([[2, 'writer']]);
    expectError(await app.get(`${shares}/3`, { as: 'ada' }), { status: 404, code: 'not_found' });
    // The document itself is as it was.
    expect((await app.get(pathOf(document), { as: 'ada' })).headers.get('etag')).toBe('"v1"');
  });

  test('is seen at once in the answer of the mutation that did it', async () => {
    const { id } = await writeDocument(app);
    const mutation = `mutation ($id: ID!) {
      before: updateDocument(org: "acme", id: $id, input: {}) { shares { userId } history { nodes { type } } }
      createShare(org: "acme", documentId: $id, input: { userId: 3, relation: writer }) { user { name } relation }
      after: updateDocument(org: "acme", id: $id, input: {}) { shares { userId } history { nodes { type } } }
      deleteShare(org: "acme", documentId: $id, userId: 3)
      end: updateDocument(org: "acme", id: $id, input: {}) { shares { userId } history { nodes { type } } }
    }`;
    const { body } = await app.graphql(mutation, { id }, { as: 'ada' });
    const created = { type: 'document.created' };
    const shared = { type: 'document.shared' };
    expect(body).toEqual({
      data: {
        before: { shares: [], history: { nodes: [created] } },
        createShare: { user: { name: 'Vic Lindqvist' }, relation: 'writer' },
        after: { shares: [{ userId: '3' }], history: { nodes: [shared, created] } },
        deleteShare: '3',
        end: { shares: [], history: { nodes: [{ type: 'document.unshared' }, shared, created] } },
      },
    });
  });

  test('only with people who are there', async () => {
    const document = await writeDocument(app);
    await addUsers(engine, 1, 'gone');
    const [gone] = await engine.place.query("select id from users where email = 'gone1@acme.test'");
    const removed = Number(gone?.['id']);
    await engine.place.query(`update users set removed_at = created_at where id = ${removed}`);
    for (const userId of [4, 999_999, removed]) {
      const answer = await writesNothing(app, () =>
        app.post(`${pathOf(document)}/shares`, { as: 'ada', body: { user_id: userId, relation: 'reader' } }),
      );
      expectError(answer, { status: 422, code: 'validation_failed', paths: ['user_id'] });
    }
    const input = '{ userId: "abc", relation: reader }';
    const mutation = `mutation { createShare(org: "acme", documentId: ${document.id}, input: ${input}) { userId } }`;
    const answer = await writesNothing(app, () => app.graphql(mutation, {}, { as: 'ada' }));
    expect(answer.body.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'input.userId' }],
    });
  });

  test.each([
    [{ user_id: 3 }, ['relation']],
    [{ relation: 'reader' }, ['user_id']],
    [{ user_id: 3, relation: 'owner' }, ['relation']],
    [{ user_id: '3', relation: 'reader' }, ['user_id']],
    [{ user_id: 3, relation: 'reader', document_id: 1 }, ['document_id']],
  ])('%j is 422', async (body, paths) => {
    const answer = await writesNothing(app, () => app.post(`${DOCS}/1/shares`, { as: 'ada', body }));
    expectError(answer, { status: 422, code: 'validation_failed', paths });
  });

  test('of a document that never was is 404', async () => {
    const attempts = [
      app.get(`${DOCS}/999999/shares`, { as: 'ada' }),
      app.get(`${DOCS}/999999/shares/3`, { as: 'ada' }),
      app.post(`${DOCS}/999999/shares`, { as: 'ada', body: { user_id: 3, relation: 'reader' } }),
      app.delete(`${DOCS}/999999/shares/3`, { as: 'ada' }),
    ];
    for (const answer of await Promise.all(attempts)) expectError(answer, { status: 404, code: 'not_found' });
  });

  test('a reader is refused, and told what it would take', async () => {
    const answer = await app.get(`${DOCS}/1/shares`, { as: 'vic' });
    expectError(answer, { status: 403, code: 'forbidden' });
    expect(answer.text).toContain('write:docs');
    expectError(await app.get(`${DOCS}/1/shares/3`, { as: 'vic' }), { status: 403, code: 'forbidden' });
  });

  test('goes to 100 people, also when many are added at once', async () => {
    const document = await writeDocument(app);
    await addUsers(engine, LIMITS.documentShares + 5, 'many');
    const people = await engine.place.query("select id from users where email like 'many%' order by id");
    const answers = await Promise.all(
      people.map((row) =>
        app.post(`${pathOf(document)}/shares`, {
          as: 'ada',
          body: { user_id: Number(row['id']), relation: 'reader' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.documentShares);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expectError(answer, { status: 409, code: 'conflict' });
    const listed = await sharesOf(document);
    expect(listed).toHaveLength(LIMITS.documentShares);
    const changed = await app.post(`${pathOf(document)}/shares`, {
      as: 'ada',
      body: { user_id: listed[0]?.[0], relation: 'writer' },
    });
    expect(changed.status).toBe(201);
  });

  engine.testConcurrent('with one person by many at once makes one share', async () => {
    const document = await writeDocument(app);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        app.post(`${pathOf(document)}/shares`, {
          as: 'ada',
          body: { user_id: 3, relation: n % 2 ? 'reader' : 'writer' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(await sharesOf(document)).toHaveLength(1);
  });
});

describeEachEngine('documents and organisations', (engine) => {
  const app = startApp(engine);

  const ROUTES = [
    { method: 'GET', path: '' },
    { method: 'POST', path: '', body: NOTES },
    { method: 'GET', path: '/{id}' },
    { method: 'PUT', path: '/{id}', body: { ...NOTES, classification: 'public' } },
    { method: 'PATCH', path: '/{id}', body: { title: 'Taken' } },
    { method: 'PATCH', path: '/{id}', body: {} },
    { method: 'DELETE', path: '/{id}' },
    { method: 'GET', path: '/{id}/shares' },
    { method: 'POST', path: '/{id}/shares', body: { user_id: 1, relation: 'writer' } },
    { method: 'GET', path: '/{id}/shares/1' },
    { method: 'DELETE', path: '/{id}/shares/1' },
  ];

  describe.each(ROUTES)('$method /v1/orgs/{org}/docs$path', ({ method, path, body }) => {
    test.each([
      { title: 'a document of another organisation, named right', as: 'ada', org: 'globex', id: 4 },
      { title: 'a document of another organisation, as one of its own', as: 'ada', org: 'acme', id: 4 },
      { title: 'its own document, under another organisation', as: 'ada', org: 'globex', id: 1 },
      { title: 'an organisation that is not there', as: 'ada', org: 'nowhere', id: 1 },
      { title: 'a name that differs in case', as: 'ada', org: 'Acme', id: 1 },
      { title: 'a public document, from outside', as: 'gil', org: 'acme', id: 1 },
    ] as const)('is 403 for $title', async ({ as, org, id }) => {
      const isList = !path.includes('{id}');
      if (isList && org === 'acme' && as === 'ada') return;
      const url = `/v1/orgs/${org}/docs${path.replace('{id}', String(id))}`;
      const answer = await writesNothing(app, () => app.request(method, url, { as, body }));
      expectError(answer, { status: 403, code: 'forbidden' });
    });

    test('is 401 without credentials', async () => {
      const url = `/v1/orgs/acme/docs${path.replace('{id}', '1')}`;
      const answer = await writesNothing(app, () => app.request(method, url, { body }));
      expectError(answer, { status: 401, code: 'unauthenticated' });
      expect(app.statements).toEqual([]);
    });
  });

  test.each([
    'query { it: document(org: "globex", id: 4) { id } }',
    'query { it: document(org: "acme", id: 4) { id } }',
    'query { it: documents(org: "globex") { nodes { id } } }',
    'query { it: share(org: "globex", documentId: 4, userId: 4) { relation } }',
    'mutation { it: createDocument(org: "globex", input: { title: "A", body: "" }) { id } }',
    'mutation { it: updateDocument(org: "acme", id: 4, input: { title: "A" }) { id } }',
    'mutation { it: updateDocument(org: "globex", id: 4, input: {}) { id } }',
    'mutation { it: deleteDocument(org: "acme", id: 4) }',
    'mutation { it: createShare(org: "acme", documentId: 4, input: { userId: 1, relation: writer }) { userId } }',
    'mutation { it: deleteShare(org: "globex", documentId: 4, userId: 1) }',
  ])('%s is forbidden', async (document) => {
    const answer = await writesNothing(app, () => app.graphql(document, {}, { as: 'ada' }));
    expect(codesOf(answer)).toEqual(['forbidden']);
    expect(answer.text).not.toContain('"id"');
  });

  test('both doors have the same documents', async () => {
    for (const person of ['ada', 'ed', 'vic'] as const) {
      const [rest, graph] = await Promise.all(DOORS.map((door) => door.list(app, person)));
      expect(rest).toEqual(graph);
      expect(rest?.length).toBe(person === 'ada' ? 3 : 2);
    }
  });
});

/** People of acme, named with a number from 1 on. */
async function addUsers({ place }: TestEngine, count: number, name: string): Promise<void> {
  const createdAt = "(select created_at from organisations where id = 'acme')";
  const rows = Array.from(
    { length: count },
    (_, n) =>
      `('acme', '${name}${n + 1}@acme.test', '${name} ${n + 1}', 'viewer', ${createdAt}, ${createdAt})`,
  );
  await place.query(
    `insert into users (org, email, name, role, created_at, updated_at) values ${rows.join(', ')}`,
  );
}
