/** Documents stay within their organisation, also for users who have left it. */
import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { DOCS, NOTES, writeDocument } from '../support/fixtures/documents.ts';
import { addPerson } from '../support/fixtures/rows.ts';
import type { Session } from '../support/response-bodies.ts';
import { DOORS } from './document-doors.ts';

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
      { title: 'an unknown organisation', as: 'ada', org: 'nowhere', id: 1 },
      { title: 'a name that differs in case', as: 'ada', org: 'Acme', id: 1 },
      { title: 'a public document of another organisation', as: 'gil', org: 'acme', id: 1 },
    ] as const)('returns 403 for $title', async ({ as, org, id }) => {
      const url = `/v1/orgs/${org}/docs${path.replace('{id}', String(id))}`;
      const response = await writesNothing(app, () => app.request(method, url, { as, body }));
      expectError(response, { status: 403, code: 'forbidden' });
    });
  });

  test('both doors return the same documents', async () => {
    for (const person of ['ada', 'ed', 'vic'] as const) {
      const [rest, graph] = await Promise.all(DOORS.map((door) => door.list(app, person)));
      expect(rest).toEqual(graph);
      expect(rest?.length).toBe(person === 'ada' ? 3 : 2);
    }
  });
});

describeEachEngine('a user who left the organisation', (engine) => {
  const app = startApp(engine);

  test.each(DOORS)('cannot write with a narrowed token, by $name', async (door) => {
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
      expect(await writesNothing(app, attempt)).toBe('invalid_token');
    }
    const created = await writesNothing(app, () => app.post(DOCS, { as, body: NOTES }));
    expectError(created, { status: 401, code: 'invalid_token' });
    const mutation = 'mutation { createDocument(org: "acme", input: { title: "A", body: "" }) { id } }';
    const inGraph = await writesNothing(app, () => app.graphql(mutation, {}, { as }));
    expect(codesOf(inGraph)).toEqual(['invalid_token']);
  });
});
