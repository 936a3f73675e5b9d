/** Removing members: their sessions and credentials end, and their name remains in the history. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { Person } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addMember, newcomer, signIn } from '../support/fixtures/members.ts';
import { placeOrder, TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { CursorPage, User } from '../support/response-bodies.ts';

describeEachEngine('removing a member', (engine) => {
  const app = startApp(engine);
  const remove = (id: number, headers: Record<string, string> = {}) =>
    app.delete(`/v1/orgs/acme/users/${id}`, { as: 'ada', headers });

  test('returns 204 and writes an event; a repeat returns 204 without an event', async () => {
    const { id } = await addMember(app, 'editor');
    const response = await remove(id, { 'if-match': '"v1"' });
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect((await app.events()).at(-1)).toMatchObject({
      org: 'acme',
      type: 'user.removed',
      actorId: 1,
      subjectType: 'user',
      subjectId: id,
      data: { name: 'Mo Castell' },
    });
    for (const headers of [{}, { 'if-match': '"v1"' }]) {
      expect((await writesNothing(app, () => remove(id, headers))).status).toBe(204);
    }
  });

  test('returns the id in GraphQL, also when repeated', async () => {
    const { id } = await addMember(app, 'editor');
    for (let time = 0; time < 2; time += 1) {
      const document = `mutation { deleteMember(org: "acme", userId: ${id}) }`;
      const { body } = await app.graphql(document, {}, { as: 'ada' });
      expect(body).toEqual({ data: { deleteMember: String(id) } });
    }
    expect((await app.get(`/v1/users/${id}`, { as: 'ada' })).status).toBe(404);
  });

  test('returns 412 for another version', async () => {
    const { id } = await addMember(app, 'editor');
    const response = await writesNothing(app, () => remove(id, { 'if-match': '"v2"' }));
    expectError(response, { status: 412, code: 'precondition_failed' });
  });

  test('hides them from lookups and lists', async () => {
    const { id } = await addMember(app, 'editor');
    await remove(id);
    const document = `{ user(id: ${id}) { id } members(org: "acme", first: 100) { nodes { id } } }`;
    const { body } = await app.graphql<{ user: null; members: { nodes: { id: string }[] } }>(
      document,
      {},
      { as: 'ada' },
    );
    expect(body.data?.user).toBeNull();
    expect(body.data?.members.nodes.map((node) => node.id)).not.toContain(String(id));
    const list = await app.get<CursorPage<User>>('/v1/orgs/acme/users?limit=100', { as: 'ada' });
    expect(list.body.data.map((person) => person.id)).not.toContain(id);
  });

  test.each([
    { method: 'GET', path: (id: number) => `/v1/users/${id}` },
    {
      method: 'POST',
      path: (id: number) => `/v1/users/${id}/orders`,
      body: { items: TWO_LAMPS },
      paths: ['user_id'],
    },
    { method: 'PATCH', path: (id: number) => `/v1/users/${id}`, body: { name: 'Back' } },
    { method: 'PATCH', path: (id: number) => `/v1/orgs/acme/users/${id}`, body: { role: 'admin' } },
  ])(
    '$method of a removed member returns 404, and 403 to another organisation',
    async ({ method, path, body, paths }) => {
      const { id } = await addMember(app, 'editor');
      await remove(id);
      const attempt = (as: Person) =>
        writesNothing(app, () => app.request(method, path(id), { as, ...(body && { body }) }));
      expectError(await attempt('ada'), { status: 404, code: 'not_found', paths });
      expectError(await attempt('gil'), { status: 403, code: 'forbidden' });
    },
  );

  describe.each(['application/json', 'application/x-ndjson'])('keeps their orders as %s', (accept) => {
    test.each([
      { list: 'of the person', path: (id: number) => `/v1/users/${id}/orders?`, none: 'status=shipped' },
      { list: 'of all', path: (id: number) => `/v1/orders?user_id=${id}&`, none: 'currency=JPY' },
      {
        list: 'of all',
        path: (id: number) => `/v1/orders?user_id=${id}&`,
        none: 'created_after=2999-01-01T00:00:00Z',
      },
    ])('in the list $list, which is empty if none matches $none', async ({ path, none }) => {
      const read = async (id: number, query: string) => {
        const response = await app.get(`${path(id)}${query}`, { as: 'ada', headers: { accept } });
        const rows = response.text.matchAll(/"user_id":\s*(\d+)/g);
        return { status: response.status, of: [...rows].map(([, userId]) => Number(userId)) };
      };
      const member = await addMember(app, 'editor');
      const order = await placeOrder(app, TWO_LAMPS, { userId: member.id });
      await remove(member.id);
      expect(await read(member.id, '')).toEqual({ status: 200, of: [member.id] });
      expect(await read(member.id, none)).toEqual({ status: 200, of: [] });
      await app.delete(`/v1/orders/${order.id}`, { as: 'ada' });
      expect(await read(member.id, '')).toEqual({ status: 200, of: [] });
      expect((await read(999_999, '')).status).toBe(404);
      expect((await app.get(path(member.id), { as: 'gil' })).status).toBe(403);
    });
  });

  test('prevents signing in: response and statements equal those for an unknown address', async () => {
    const { id, email, password } = await addMember(app, 'editor');
    await remove(id);
    const response = await app.post('/v1/auth/login', { body: { email, password } });
    const ran = [...app.statements];
    const unknown = await app.post('/v1/auth/login', { body: { email: 'unknown@acme.test', password } });
    expectError(response, { status: 401, code: 'invalid_credentials' });
    expect(response.text).toBe(unknown.text);
    expect(ran).toEqual(app.statements);
    expect(ran).toEqual(['users.byEmail']);
  });

  test('depends only on removed_at, whatever else the row has', async () => {
    const left = await addMember(app, 'admin');
    await engine.place.query(`update users set removed_at = created_at where id = ${left.id}`);
    const { email, password } = left;
    const response = await app.post('/v1/auth/login', { body: { email, password } });
    expectError(response, { status: 401, code: 'invalid_credentials' });
    expect((await app.post('/v1/orgs/acme/users', { as: 'ada', body: newcomer({ email }) })).status).toBe(
      201,
    );
    expectError(await remove(1), { status: 409, code: 'conflict' });
  });

  test('ends their sessions: refresh and access tokens return 401', async () => {
    const member = await addMember(app, 'editor');
    const session = await signIn(app, member);
    const { refresh_token } = session;
    await remove(member.id);

    const response = await app.post('/v1/auth/refresh', { body: { refresh_token } });
    expectError(response, { status: 401, code: 'invalid_token' });
    expect((await app.post('/v1/auth/logout', { body: { refresh_token } })).status).toBe(204);
    const reasons = `select revoked_reason from sessions where user_id = ${member.id}`;
    expect(await engine.place.query(reasons)).toEqual([{ revoked_reason: 'removed' }]);

    expectError(await app.get('/v1/products', { as: session }), { status: 401, code: 'invalid_token' });
  });

  test('prevents the refresh of a session that started at the same time', async () => {
    const member = await addMember(app, 'editor');
    const { refresh_token } = await signIn(app, member);
    await remove(member.id);
    await engine.place.query(`update sessions set revoked_at = null where user_id = ${member.id}`);
    const response = await app.post('/v1/auth/refresh', { body: { refresh_token } });
    expectError(response, { status: 401, code: 'invalid_token' });
  });

  test('keeps their name on past actions, and nothing else', async () => {
    const member = await addMember(app, 'editor', { name: 'Lea Left' });
    const order = await placeOrder(app, TWO_LAMPS, { userId: member.id });
    app.clock.advance(1000);
    await remove(member.id);

    const person = 'id name email role unreadNotifications version removedAt';
    const { body } = await app.graphql(
      `{ order(id: ${order.id}) { user { ${person} } } }`,
      {},
      { as: 'vic' },
    );
    expect(body.data?.['order']).toEqual({
      user: {
        id: String(member.id),
        name: 'Lea Left',
        email: '',
        role: 'viewer',
        unreadNotifications: null,
        version: 2,
        removedAt: app.clock().toISOString(),
      },
    });
    const row = await engine.place.query(`select * from users where id = ${member.id}`);
    const log = await engine.place.query('select * from events');
    expect(JSON.stringify([row, log])).not.toMatch(new RegExp(`argon2|${member.email}`));
  });

  test.each([
    { org: 'acme', as: 'ada' },
    { org: 'globex', as: 'gil' },
  ] as const)('frees their address for another user in $org', async ({ org, as }) => {
    const former = await addMember(app, 'admin');
    const { email } = former;
    await remove(former.id);
    const body = newcomer({ email, password: 'another password' });
    const added = await app.post<User>(`/v1/orgs/${org}/users`, { as, body });
    expect(added.status).toBe(201);
    expect(added.body.id).not.toBe(former.id);

    const session = await signIn(app, { email, password: 'another password' });
    const me = await app.graphql('{ me { id org email } }', {}, { as: session });
    expect(me.body.data).toEqual({ me: { id: String(added.body.id), org, email } });
    const old = await app.post('/v1/auth/login', { body: { email, password: former.password } });
    expectError(old, { status: 401, code: 'invalid_credentials' });
  });
});
