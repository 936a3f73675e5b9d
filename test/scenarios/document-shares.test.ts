/** Shares of documents: adding, replacing and withdrawing them, valid recipients, and their maximum number. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import type { Answer } from '../support/client.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { DOCS, pathOf, writeDocument } from '../support/fixtures/documents.ts';
import type { Document, Share } from '../support/response-bodies.ts';

/** Concurrent requests: with more, some would time out waiting for a database connection on a busy machine. */
const AT_ONCE = 15;

describeEachEngine('sharing documents', (engine) => {
  const app = startApp(engine);
  const sharesOf = async (document: Document) => {
    const { body } = await app.get<{ data: Share[] }>(`${pathOf(document)}/shares`, { as: 'ada' });
    return body.data.map((share) => [share.user_id, share.relation]);
  };
  const newest = async () => (await app.events()).at(-1);

  test('adds, replaces and withdraws shares, with an event for each', async () => {
    const document = await writeDocument(app);
    const shares = `${pathOf(document)}/shares`;
    const post = (userId: number, relation: string) =>
      app.post<Share>(shares, { as: 'ada', body: { user_id: userId, relation } });
    const about = { actorId: 1, subjectType: 'document', subjectId: document.id };
    const data = { title: 'Notes', classification: 'internal', user_id: 3 };
    expect(await sharesOf(document)).toEqual([]);

    const added = await post(3, 'reader');
    expect(added.status).toBe(201);
    expect(added.body).toEqual({ user_id: 3, relation: 'reader', created_at: app.clock().toISOString() });
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

    const withdrawn = await app.delete(`${shares}/3`, { as: 'ada' });
    expect([withdrawn.status, withdrawn.text]).toEqual([204, '']);
    expect(await newest()).toMatchObject({
      type: 'document.unshared',
      ...about,
      data: { ...data, relation: 'writer' },
    });
    const again = await writesNothing(app, () => app.delete(`${shares}/3`, { as: 'ada' }));
    expect(again.status).toBe(204);
    expect(await sharesOf(document)).toEqual([[2, 'writer']]);
    expectError(await app.get(`${shares}/3`, { as: 'ada' }), { status: 404, code: 'not_found' });
    // The document itself is unchanged.
    expect((await app.get(pathOf(document), { as: 'ada' })).headers.get('etag')).toBe('"v1"');
  });

  test('is visible in the response of the mutation', async () => {
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

  test('accepts only existing users', async () => {
    const document = await writeDocument(app);
    await addUsers(engine, 1, 'gone');
    const [gone] = await engine.place.query("select id from users where email = 'gone1@acme.test'");
    const removed = Number(gone?.['id']);
    await engine.place.query(`update users set removed_at = created_at where id = ${removed}`);
    for (const userId of [4, 999_999, removed]) {
      const response = await writesNothing(app, () =>
        app.post(`${pathOf(document)}/shares`, { as: 'ada', body: { user_id: userId, relation: 'reader' } }),
      );
      expectError(response, { status: 422, code: 'validation_failed', paths: ['user_id'] });
    }
    const input = '{ userId: "abc", relation: reader }';
    const mutation = `mutation { createShare(org: "acme", documentId: ${document.id}, input: ${input}) { userId } }`;
    const response = await writesNothing(app, () => app.graphql(mutation, {}, { as: 'ada' }));
    expect(response.body.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'input.userId' }],
    });
  });

  test('returns 404 for an unknown document', async () => {
    const attempts = [
      app.get(`${DOCS}/999999/shares`, { as: 'ada' }),
      app.get(`${DOCS}/999999/shares/3`, { as: 'ada' }),
      app.post(`${DOCS}/999999/shares`, { as: 'ada', body: { user_id: 3, relation: 'reader' } }),
      app.delete(`${DOCS}/999999/shares/3`, { as: 'ada' }),
    ];
    for (const response of await Promise.all(attempts))
      expectError(response, { status: 404, code: 'not_found' });
  });

  test('refuses a reader, with the required scope', async () => {
    const response = await app.get(`${DOCS}/1/shares`, { as: 'vic' });
    expectError(response, { status: 403, code: 'forbidden' });
    expect(response.text).toContain('write:docs');
    expectError(await app.get(`${DOCS}/1/shares/3`, { as: 'vic' }), { status: 403, code: 'forbidden' });
  });

  test('is limited to 100 users, also when many are added at once', async () => {
    const document = await writeDocument(app);
    await addUsers(engine, LIMITS.documentShares + 5, 'many');
    const people = await engine.place.query("select id from users where email like 'many%' order by id");
    const share = (row: Record<string, unknown>) =>
      app.post(`${pathOf(document)}/shares`, {
        as: 'ada',
        body: { user_id: Number(row['id']), relation: 'reader' },
      });
    // Enough concurrent requests that some within the limit run beside some above it.
    const responses: Answer<unknown>[] = [];
    for (let next = 0; next < people.length; next += AT_ONCE)
      responses.push(...(await Promise.all(people.slice(next, next + AT_ONCE).map(share))));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(LIMITS.documentShares);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const response of refused) expectError(response, { status: 409, code: 'conflict' });
    const listed = await sharesOf(document);
    expect(listed).toHaveLength(LIMITS.documentShares);
    const changed = await app.post(`${pathOf(document)}/shares`, {
      as: 'ada',
      body: { user_id: listed[0]?.[0], relation: 'writer' },
    });
    expect(changed.status).toBe(201);
  });

  engine.testConcurrent('with one user by many requests at once creates one share', async () => {
    const document = await writeDocument(app);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        app.post(`${pathOf(document)}/shares`, {
          as: 'ada',
          body: { user_id: 3, relation: n % 2 ? 'reader' : 'writer' },
        }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(await sharesOf(document)).toHaveLength(1);
  });
});

/** Creates users of acme, numbered from 1. */
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
