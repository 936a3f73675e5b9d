/** Writing documents: creating, replacing, changing and deleting them, each at a given version. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { DOCS, NOTES, pathOf, shareDocument, writeDocument } from '../support/fixtures/documents.ts';
import type { Document } from '../support/response-bodies.ts';

describeEachEngine('writing documents', (engine) => {
  const app = startApp(engine);

  describe('creating', () => {
    test('returns 201 with the document and its location, and an event without its text', async () => {
      const before = (await app.events()).at(-1)?.id;
      const sent = { ...NOTES, classification: 'confidential' };
      const response = await app.post<Document>(DOCS, { as: 'ed', body: sent });
      const { id } = response.body;
      expect(response.status).toBe(201);
      expect(response.body).toEqual({
        id: expect.any(Number),
        org: 'acme',
        ...sent,
        author_id: 2,
        created_at: app.clock().toISOString(),
        updated_at: app.clock().toISOString(),
      });
      expect(response.headers.get('location')).toBe(`${DOCS}/${id}`);
      expect(response.headers.get('etag')).toBe('"v1"');
      expect((await app.get(response.headers.get('location') ?? '', { as: 'ed' })).body).toEqual(
        response.body,
      );
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

    test('is internal by default, through both doors', async () => {
      expect((await writeDocument(app)).classification).toBe('internal');
      const nothing = await app.post<Document>(DOCS, { as: 'ada', body: { ...NOTES, classification: null } });
      expect(nothing.body.classification).toBe('internal');
      const create = 'createDocument(org: "acme", input: { title: "A", body: "" }) { classification }';
      const { body } = await app.graphql(`mutation { ${create} }`, {}, { as: 'ada' });
      expect(body).toEqual({ data: { createDocument: { classification: 'internal' } } });
    });

    test.each([
      [{}, ['title', 'body']],
      [{ ...NOTES, org: 'globex', id: 5, version: 3 }, ['org', 'id', 'version']],
      [{ ...NOTES, title: 'a\0b' }, ['title']],
      [{ ...NOTES, title: 'a\ud800' }, ['title']],
      [{ title: '\udc00', body: '\0' }, ['title', 'body']],
    ])('returns 422 for %j', async (body, paths) => {
      const response = await writesNothing(app, () => app.post(DOCS, { as: 'ada', body }));
      expectError(response, { status: 422, code: 'validation_failed', paths });
    });

    test('with strings of the maximum length', async () => {
      const longest = { title: 'x'.repeat(200), body: 'y'.repeat(100_000) };
      const document = await writeDocument(app, 'ada', longest);
      expect(await app.get<Document>(pathOf(document), { as: 'ada' })).toMatchObject({ body: longest });
      // Three bytes each.
      const fits = await writeDocument(app, 'ada', { body: '字'.repeat(87_000) });
      expect(fits.body).toHaveLength(87_000);
      const response = await writesNothing(app, () =>
        app.post(DOCS, { as: 'ada', body: { title: 'A', body: '字'.repeat(100_000) } }),
      );
      expectError(response, { status: 413, code: 'body_too_large' });
    });

    test('with any text, which is returned unchanged', async () => {
      const text = 'Zoë “𝒪” 👩‍🔧 \t\n\r\n \\ \' " </script> \u0001 ﷽';
      const title = 'Zoë “𝒪” 👩‍🔧 \\ \' " </script> ﷽';
      const document = await writeDocument(app, 'ada', { title, body: text });
      expect(document).toMatchObject({ title, body: text });
      expect((await app.events()).at(-1)?.data).toEqual({ title, classification: 'internal' });
    });
  });

  describe('changing', () => {
    const WHOLE = { title: 'New', body: 'Other.', classification: 'public' };

    test('requires only write:docs, as creating does', async () => {
      const document = await writeDocument(app, 'ed');
      const as = await app.signIn('ed', ['write:docs']);
      expect(await app.put(pathOf(document), { as, body: WHOLE })).toMatchObject({
        status: 200,
        body: WHOLE,
      });
      const patched = await app.patch(pathOf(document), { as, body: { title: 'Newer' } });
      expect(patched).toMatchObject({ status: 200, body: { title: 'Newer' } });
      const other = await app.signIn('ed', ['write:orders']);
      const response = await writesNothing(app, () => app.put(pathOf(document), { as: other, body: WHOLE }));
      expectError(response, { status: 403, code: 'insufficient_scope' });
      expect(response.headers.get('www-authenticate')).toContain('scope="write:docs"');
    });

    test('PUT replaces all writable members', async () => {
      const document = await writeDocument(app, 'ed');
      app.clock.advance(1000);
      const { body: before } = await app.get<Document>(pathOf(document), { as: 'ada' });
      const response = await app.put<Document>(pathOf(document), { as: 'ada', body: WHOLE });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ ...before, ...WHOLE, updated_at: response.body.updated_at });
      expect(response.body.updated_at > before.updated_at).toBe(true);
      expect(response.body.author_id).toBe(2);
      expect(response.headers.get('etag')).toBe('"v2"');
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
    ])('PATCH with %j changes only that member', async (body, expected) => {
      const document = await writeDocument(app);
      const response = await app.patch<Document>(pathOf(document), { as: 'ada', body });
      expect(response.body).toEqual({ ...document, ...expected, updated_at: response.body.updated_at });
      expect((await app.get(pathOf(document), { as: 'ada' })).body).toEqual(response.body);
    });

    test('an empty PATCH changes nothing and returns the document', async () => {
      const document = await writeDocument(app);
      const response = await writesNothing(app, () => app.patch(pathOf(document), { as: 'ada', body: {} }));
      expect([response.status, response.body]).toEqual([200, document]);
      expect(response.headers.get('etag')).toBe('"v1"');
    });

    test.each([
      ...['id', 'org', 'author_id', 'version', 'created_at', 'updated_at'].flatMap(
        (name): [string, Record<string, unknown>, string[]][] => [
          ['PUT', { ...WHOLE, [name]: 1 }, [name]],
          ['PATCH', { title: 'New', [name]: 1 }, [name]],
        ],
      ),
      ['PATCH', { title: '', body: 'x'.repeat(100_001) }, ['title', 'body']],
      ['PATCH', { title: 'a\0' }, ['title']],
    ])('%s with %j returns 422 and changes nothing', async (method, body, paths) => {
      const document = await writeDocument(app);
      const response = await writesNothing(app, () =>
        app.request(method, pathOf(document), { as: 'ada', body }),
      );
      expectError(response, { status: 422, code: 'validation_failed', paths });
      expect((await app.get(pathOf(document), { as: 'ada' })).body).toEqual(document);
    });

    test('an empty change checks the version, too', async () => {
      const document = await writeDocument(app);
      const headers = { 'if-match': '"v2"' };
      const response = await app.patch(pathOf(document), { as: 'ada', body: {}, headers });
      expectError(response, { status: 412, code: 'precondition_failed' });
    });

    engine.testConcurrent('of many changes to one version, one succeeds', async () => {
      const document = await writeDocument(app);
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          app.patch<Document>(pathOf(document), {
            as: 'ada',
            body: { title: `By ${n}` },
            headers: { 'if-match': '"v1"' },
          }),
        ),
      );
      const won = responses.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 412)).toHaveLength(7);
      expect((await app.get(pathOf(document), { as: 'ada' })).body).toEqual(won[0]?.body);
    });

    test('an unknown document returns 404 and is not created', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : WHOLE;
        const response = await writesNothing(app, () =>
          app.request(method, `${DOCS}/999999`, { as: 'ada', body }),
        );
        expectError(response, { status: 404, code: 'not_found' });
      }
    });
  });

  describe('deleting', () => {
    test('is for administrators only, not for the author', async () => {
      const document = await writeDocument(app, 'ed');
      await shareDocument(app, document.id, 2, 'writer');
      for (const as of ['ed', 'vic'] as const) {
        const response = await writesNothing(app, () => app.delete(pathOf(document), { as }));
        expectError(response, { status: 403, code: 'insufficient_role' });
      }
      const narrowed = await app.signIn('ada', ['read:docs']);
      const response = await writesNothing(app, () => app.delete(pathOf(document), { as: narrowed }));
      expectError(response, { status: 403, code: 'insufficient_scope' });
      expect((await app.get(pathOf(document), { as: 'ed' })).body).toEqual(document);
    });

    test('is applied once, and returns 204 each time', async () => {
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
