/** The people of an organisation: who is there, who joins, what they may do, who leaves. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { Person } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { memberDoors } from '../support/member-doors.ts';
import { addMember, type Member, signIn } from '../support/members.ts';
import { placeOrder, TWO_LAMPS } from '../support/orders.ts';
import type { CursorPage, User } from '../support/shapes.ts';

const MINUTE = 60_000;

let serial = 0;
const newcomer = (changes: object = {}) => {
  serial += 1;
  const email = `new-${serial}@acme.test`;
  return { email, name: 'Nia Roth', role: 'editor', password: 'long enough', ...changes };
};

describeEachEngine('the list of people', (engine) => {
  const app = startApp(engine);
  const list = (query = '') => app.get<CursorPage<User>>(`/v1/orgs/acme/users${query}`, { as: 'vic' });

  test('has everybody who is there, each as their own route shows them', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    const each = await Promise.all([1, 2, 3].map((id) => app.get<User>(`/v1/users/${id}`, { as: 'vic' })));
    expect(answer.body).toEqual({ data: each.map(({ body }) => body), next_cursor: null });
  });

  test('comes in pages, which lead on from each other', async () => {
    const first = await list('?limit=2');
    expect(first.body.data.map(({ id }) => id)).toEqual([1, 2]);
    const second = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.data.map(({ id }) => id)).toEqual([3]);
    expect(second.body.next_cursor).toBeNull();
  });

  test('is the same in the graph', async () => {
    const document = `query ($after: String) {
      members(org: "acme", first: 2, after: $after) { nodes { id email } hasNextPage endCursor nextCursor }
    }`;
    const first = await app.graphql<{ members: { endCursor: string } }>(document, {}, { as: 'vic' });
    const after = first.body.data?.members.endCursor;
    expect(first.body.data?.members).toEqual({
      nodes: [
        { id: '1', email: 'ada@acme.test' },
        { id: '2', email: 'ed@acme.test' },
      ],
      hasNextPage: true,
      endCursor: expect.any(String),
      nextCursor: after,
    });
    const { body } = await app.graphql(document, { after }, { as: 'vic' });
    expect(body.data?.['members']).toMatchObject({
      nodes: [{ id: '3' }],
      hasNextPage: false,
      nextCursor: null,
    });
  });

  for (const org of ['globex', 'nowhere', 'ACME']) {
    test(`of ${org} is not for acme's people: 403`, async () => {
      expectError(await app.get(`/v1/orgs/${org}/users`, { as: 'ada' }), { status: 403, code: 'forbidden' });
      const { body } = await app.graphql(`{ members(org: "${org}") { nodes { id } } }`, {}, { as: 'ada' });
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'forbidden' } }] });
    });
  }

  test('does not take a cursor of another organisation or of another list', async () => {
    await addMember(app, 'viewer', { org: 'globex', as: 'gil' });
    const products = await app.get<CursorPage<unknown>>('/v1/products?limit=1', { as: 'ada' });
    const theirs = await app.get<CursorPage<User>>('/v1/orgs/globex/users?limit=1', { as: 'gil' });
    for (const cursor of [products.body.next_cursor, theirs.body.next_cursor, 'invented']) {
      expect(cursor).not.toBeNull();
      expectError(await list(`?cursor=${cursor}`), { status: 400, code: 'invalid_cursor' });
    }
  });

  for (const { query, code, path } of [
    { query: '?limit=0', code: 'invalid_parameter', path: 'limit' },
    { query: '?limit=x', code: 'invalid_parameter', path: 'limit' },
    { query: '?role=admin', code: 'unknown_parameter', path: 'role' },
  ]) {
    test(`${query} is 400`, async () => {
      expectError(await list(query), { status: 400, code, paths: [path] });
    });
  }
});

describeEachEngine('adding somebody', (engine) => {
  const app = startApp(engine);
  const add = (changes: object) =>
    app.post<User>('/v1/orgs/acme/users', { as: 'ada', body: newcomer(changes) });

  test('answers 201 with the person, where they are found, and writes an event', async () => {
    const answer = await add({ email: 'Nia.Roth@Acme.Test' });

    expect(answer.status).toBe(201);
    const { id } = answer.body;
    const now = app.clock().toISOString();
    expect(answer.body).toEqual({
      id: expect.any(Number),
      org: 'acme',
      name: 'Nia Roth',
      email: 'nia.roth@acme.test',
      role: 'editor',
      avatar_url: `https://portico.test/images/user-${id}.svg`,
      created_at: now,
      updated_at: now,
    });
    expect(answer.headers.get('etag')).toBe('"v1"');
    expect(answer.headers.get('location')).toBe(`/v1/users/${id}`);
    expect((await app.get(`/v1/users/${id}`, { as: 'vic' })).text).toBe(answer.text);
    expect((await app.events()).at(-1)).toMatchObject({
      org: 'acme',
      type: 'user.added',
      actorId: 1,
      subjectType: 'user',
      subjectId: id,
      data: { name: 'Nia Roth', role: 'editor' },
    });
  });

  test('is refused to credentials that lack what the new role gives: it would be theirs at the next sign-in', async () => {
    const narrowed = await app.signIn('ada', ['write:users', 'read:users', 'read:orders']);
    for (const role of ['admin', 'editor', 'viewer'] as const) {
      const attempt = () => app.post('/v1/orgs/acme/users', { as: narrowed, body: newcomer({ role }) });
      expectError(await writesNothing(app, attempt), { status: 403, code: 'insufficient_scope' });
    }
    const member = await addMember(app, 'viewer');
    const promote = () =>
      app.patch(`/v1/orgs/acme/users/${member.id}`, { as: narrowed, body: { role: 'admin' } });
    expectError(await writesNothing(app, promote), { status: 403, code: 'insufficient_scope' });
  });

  test('under /v2 says that they are found there', async () => {
    const answer = await app.post<User>('/v2/orgs/acme/users', { as: 'ada', body: newcomer() });
    expect(answer.headers.get('location')).toBe(`/v2/users/${answer.body.id}`);
  });

  for (const { role, orders, people } of [
    { role: 'admin', orders: 201, people: 201 },
    { role: 'editor', orders: 201, people: 403 },
    { role: 'viewer', orders: 403, people: 403 },
  ] as const) {
    test(`as ${role}: they sign in, and may do what the role gives`, async () => {
      const member = await addMember(app, role);
      const as = await signIn(app, { ...member, email: member.email.toUpperCase() });
      const { body } = await app.graphql('{ me { role unreadNotifications } }', {}, { as });
      // Nothing is new to them but that they have joined.
      expect(body.data).toEqual({ me: { role, unreadNotifications: 1 } });
      const order = await app.post(`/v1/users/${member.id}/orders`, { as, body: { items: TWO_LAMPS } });
      expect(order.status).toBe(orders);
      expect((await app.post('/v1/orgs/acme/users', { as, body: newcomer() })).status).toBe(people);
    });
  }

  test('the password is nowhere but in its hash', async () => {
    const password = 'Tr0ubador&3-nowhere';
    const answers = [
      await add({ password }),
      await add({ password, role: 'king' }),
      await add({ password, email: 'ada@acme.test' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 409]);
    const said = answers.map(({ text }) => text).join();
    const people = JSON.stringify(await engine.place.query('select * from users'));
    const log = JSON.stringify(await engine.place.query('select * from events'));
    expect(said + people + log).not.toContain(password);
    expect(said + log).not.toContain('argon2');
  });

  const long = 'a'.repeat(255 - '@b.test'.length);

  describe.each(memberDoors(app))('through %s', (title, door) => {
    test.each([
      { given: 'an address without @', changes: { email: 'nia.acme.test' }, path: 'email' },
      { given: 'an address with two @', changes: { email: 'nia@roth@acme.test' }, path: 'email' },
      { given: 'an address with nothing before the @', changes: { email: '@acme.test' }, path: 'email' },
      { given: 'an address with nothing after the @', changes: { email: 'nia@' }, path: 'email' },
      { given: 'an address with a space', changes: { email: 'nia roth@acme.test' }, path: 'email' },
      { given: 'an address with a space before it', changes: { email: ' nia@acme.test' }, path: 'email' },
      { given: 'an address with a line break', changes: { email: 'nia@acme.test\n' }, path: 'email' },
      { given: 'an address with a NUL', changes: { email: 'ni\u0000a@acme.test' }, path: 'email' },
      {
        given: 'an address with a space of no width',
        changes: { email: 'ni\u200ba@acme.test' },
        path: 'email',
      },
      { given: 'an address of 255 characters', changes: { email: `${long}@b.test` }, path: 'email' },
      {
        given: 'an address that is too long in lower case',
        changes: { email: `${'\u0130'.repeat(200)}@acme.test` },
        path: 'email',
      },
      { given: 'an empty address', changes: { email: '' }, path: 'email' },
      { given: 'an empty name', changes: { name: '' }, path: 'name' },
      { given: 'a blank name', changes: { name: '  ' }, path: 'name' },
      { given: 'a name with a NUL', changes: { name: 'Nia\u0000' }, path: 'name' },
      { given: 'a name of 101 characters', changes: { name: 'n'.repeat(101) }, path: 'name' },
      { given: 'a password of 7 characters', changes: { password: '1234567' }, path: 'password' },
      { given: 'a password of 257 characters', changes: { password: 'p'.repeat(257) }, path: 'password' },
    ])('$given is refused', async ({ changes, path }) => {
      const outcome = await writesNothing(app, () => door.create('ada', newcomer(changes)));
      expect(outcome).toMatchObject({ code: 'validation_failed', paths: [path] });
    });

    test('everything that is wrong is named at once', async () => {
      const { paths } = await door.create('ada', newcomer({ email: '', name: '', password: '' }));
      expect(paths.toSorted()).toEqual(['email', 'name', 'password']);
    });

    test.each([
      { given: 'an address of 254 characters', changes: { email: `${long.slice(1)}@b.test` } },
      { given: 'an address with accents and a plus', changes: { email: 'j\u00fcrgen+x@ex\u00e4mple.test' } },
      { given: 'a password of 8 characters', changes: { password: '12345678' } },
      { given: 'a password of 256 characters', changes: { password: '\u00fc'.repeat(256) } },
    ])('$given is taken, and signs in', async ({ changes }) => {
      const { email: wanted, ...others } = newcomer(changes);
      // Each door adds one, so that one of them needs another address.
      const email = title === 'REST' ? wanted : wanted.replace(/^./, 'z');
      expect(await door.create('ada', { email, ...others })).toMatchObject({ code: null });
      await signIn(app, { email, password: others.password });
    });

    test.each(['ed@acme.test', 'ED@Acme.test', 'gil@globex.test'])(
      '%s has an account already: 409, and not a word about whose it is',
      async (email) => {
        const outcome = await writesNothing(app, () => door.create('ada', newcomer({ email })));
        expect(outcome).toMatchObject({ code: 'conflict', paths: ['email'] });
        expect(outcome.text).not.toMatch(/globex|gil|okafor|moreau/i);
      },
    );

    test('of several who take one address at once, one gets it', async () => {
      const input = newcomer();
      const outcomes = await Promise.all([1, 2, 3].map(() => door.create('ada', input)));
      expect(outcomes.filter(({ code }) => code === null)).toHaveLength(1);
      const others = outcomes.filter(({ code }) => code !== null);
      for (const other of others) expect(other).toMatchObject({ code: 'conflict', paths: ['email'] });
    });

    test.each(['globex', 'nowhere'])("to %s is not for acme's administrators", async (org) => {
      const outcome = await writesNothing(app, () => door.create('ada', newcomer(), org));
      expect(outcome.code).toBe('forbidden');
    });
  });
});

describeEachEngine('changing what somebody may do', (engine) => {
  const app = startApp(engine);
  let member: Member;
  let path: string;

  beforeEach(async () => {
    member = await addMember(app, 'editor');
    path = `/v1/orgs/acme/users/${member.id}`;
  });

  test('answers 200 with the person at the next version, and writes an event', async () => {
    app.clock.advance(1000);
    const last = (await app.events()).length;
    const answer = await app.patch<User>(path, { as: 'ada', body: { role: 'viewer' } });

    expect(answer.status).toBe(200);
    const { password: _, ...person } = member;
    expect(answer.body).toEqual({ ...person, role: 'viewer', updated_at: app.clock().toISOString() });
    expect(answer.headers.get('etag')).toBe('"v2"');
    expect((await app.get(`/v1/users/${member.id}`, { as: 'vic' })).text).toBe(answer.text);
    expect((await app.events()).slice(last)).toEqual([
      {
        id: expect.any(Number),
        org: 'acme',
        type: 'user.role_changed',
        actorId: 1,
        subjectType: 'user',
        subjectId: member.id,
        data: { name: 'Mo Castell', role: 'viewer', former_role: 'editor' },
      },
    ]);
  });

  test('ends their sessions: refresh is 401, and an access token goes on until it expires', async () => {
    const session = await signIn(app, member);
    const another = await signIn(app, member);
    const unrelated = await signIn(app, await addMember(app, 'editor'));
    await app.patch(path, { as: 'ada', body: { role: 'viewer' } });

    const refresh = ({ refresh_token }: typeof session) =>
      app.post('/v1/auth/refresh', { body: { refresh_token } });
    for (const ended of [session, another]) {
      expectError(await refresh(ended), { status: 401, code: 'invalid_token' });
    }
    expect((await refresh(unrelated)).status).toBe(200);
    const reasons = `select distinct revoked_reason from sessions where user_id = ${member.id}`;
    expect(await engine.place.query(reasons)).toEqual([{ revoked_reason: 'role_changed' }]);

    const order = (as: typeof session) =>
      app.post(`/v1/users/${member.id}/orders`, { as, body: { items: TWO_LAMPS } });
    app.clock.advance(15 * MINUTE - 1000);
    expect((await order(session)).status).toBe(201);
    app.clock.advance(1000);
    expectError(await order(session), { status: 401, code: 'token_expired' });
    app.signOutAll();
    expectError(await order(await signIn(app, member)), { status: 403, code: 'insufficient_scope' });
  });

  describe.each(memberDoors(app))('through %s', (_title, door) => {
    test('takes effect, at the version that was named', async () => {
      const target = { userId: member.id, ifVersion: 1 };
      const { person } = await door.change('ada', target, { role: 'viewer' });
      expect(person).toMatchObject({ role: 'viewer', version: 2 });
      const stale = await writesNothing(app, () => door.change('ada', target, { role: 'editor' }));
      expect(stale.code).toBe('precondition_failed');
    });

    test('to the role they have changes nothing, and ends no session', async () => {
      const { refresh_token } = await signIn(app, member);
      for (const input of [{ role: 'editor' }, {}]) {
        const { person } = await writesNothing(app, () => door.change('ada', { userId: member.id }, input));
        expect(person).toMatchObject({ role: 'editor', version: 1 });
      }
      expect((await app.post('/v1/auth/refresh', { body: { refresh_token } })).status).toBe(200);
      const stale = await door.change('ada', { userId: member.id, ifVersion: 7 }, { role: 'editor' });
      expect(stale.code).toBe('precondition_failed');
    });

    test('to none is refused', async () => {
      const outcome = await writesNothing(app, () =>
        door.change('ada', { userId: member.id }, { role: null }),
      );
      expect(outcome).toMatchObject({ code: 'validation_failed', paths: ['role'] });
    });

    test.each([
      { whom: 'somebody of another organisation', target: { userId: 4 }, code: 'forbidden' },
      { whom: 'somebody under their organisation', target: { org: 'globex', userId: 4 }, code: 'forbidden' },
      { whom: 'one of us under another', target: { org: 'globex', userId: 2 }, code: 'forbidden' },
      { whom: 'somebody who never was', target: { userId: 999_999 }, code: 'not_found' },
    ])('of $whom: $code, also for removing', async ({ target, code }) => {
      const changed = await writesNothing(app, () => door.change('ada', target, { role: 'viewer' }));
      const removed = await writesNothing(app, () => door.remove('ada', target));
      expect([changed.code, removed.code]).toEqual([code, code]);
      expect(changed.text + removed.text).not.toMatch(/gil|moreau/i);
    });

    test('the last administrator can neither step down nor leave', async () => {
      const second = await addMember(app, 'admin');
      // Somebody who left does not count, and neither does the administrator of another organisation.
      await door.remove('ada', { userId: second.id });
      for (const attempt of [
        () => door.change('ada', { userId: 1 }, { role: 'editor' }),
        () => door.change('ada', { userId: 1 }, { role: 'viewer' }),
        () => door.remove('ada', { userId: 1 }),
      ]) {
        expect((await writesNothing(app, attempt)).code).toBe('conflict');
      }
      expect((await door.change('ada', { userId: 1 }, { role: 'admin' })).code).toBeNull();
    });

    test('an administrator who is not the last may step down, or leave', async () => {
      const [second, third] = [await addMember(app, 'admin'), await addMember(app, 'admin')];
      const demoted = await door.change(await signIn(app, second), { userId: second.id }, { role: 'viewer' });
      expect(demoted.person).toMatchObject({ role: 'viewer' });
      expect((await door.remove(await signIn(app, third), { userId: third.id })).code).toBeNull();
    });

    test('nobody uses the rest of a token to get back in', async () => {
      for (const end of [door.change, door.remove]) {
        const former = await addMember(app, 'admin');
        const as = await signIn(app, former);
        await end('ada', { userId: former.id }, { role: 'viewer' });
        expect((await app.get('/v1/orgs/acme/users', { as })).status).toBe(200);
        for (const attempt of [
          () => door.create(as, newcomer({ role: 'admin' })),
          () => door.change(as, { userId: 2 }, { role: 'admin' }),
          () => door.remove(as, { userId: 2 }),
        ]) {
          expect((await writesNothing(app, attempt)).code).toBe('insufficient_role');
        }
      }
    });

    test.each([
      { who: 'an editor', as: () => app.signIn('ed'), code: 'insufficient_role' },
      { who: 'a viewer', as: () => app.signIn('vic'), code: 'insufficient_role' },
      { who: 'a narrowed token', as: () => app.signIn('ada', ['read:users']), code: 'insufficient_scope' },
      { who: 'nobody', as: async () => undefined, code: 'unauthenticated' },
    ])('is not for $who, and neither are adding and removing: $code', async ({ as, code }) => {
      const caller = await as();
      const target = { userId: member.id };
      for (const attempt of [
        () => door.create(caller, newcomer()),
        () => door.change(caller, target, { role: 'viewer' }),
        () => door.remove(caller, target),
      ]) {
        expect((await writesNothing(app, attempt)).code).toBe(code);
      }
    });
  });
});

describeEachEngine('what only the server sets', (engine) => {
  const app = startApp(engine);
  const SERVER_OWNED = {
    id: 7,
    org: 'globex',
    owner: 1,
    total: 1,
    created_at: '2020-01-01T00:00:00.000Z',
    version: 9,
  };
  const newUser = async () => (await addMember(app, 'editor')).id;
  const newOrder = async () => (await placeOrder(app)).id;

  describe.each([
    { method: 'PATCH', collection: '/v1/orgs/acme/users', valid: { role: 'viewer' }, make: newUser },
    { method: 'PATCH', collection: '/v1/users', valid: { name: 'Other' }, make: newUser },
    { method: 'PATCH', collection: '/v1/orders', valid: { status: 'cancelled' }, make: newOrder },
    { method: 'PUT', collection: '/v1/orders', valid: { items: TWO_LAMPS }, make: newOrder },
  ])('$method $collection/{id}', ({ method, collection, valid, make }) => {
    test.each(Object.entries(SERVER_OWNED))('with %s: 422, and nothing changes', async (name, value) => {
      const id = await make();
      const look = async () =>
        (await app.get(`${collection.replace('/orgs/acme', '')}/${id}`, { as: 'ada' })).text;
      const before = await look();
      const answer = await writesNothing(app, () =>
        app.request(method, `${collection}/${id}`, { as: 'ada', body: { ...valid, [name]: value } }),
      );
      expectError(answer, { status: 422, code: 'validation_failed', paths: [name] });
      expect(await look()).toBe(before);
    });
  });
});

describeEachEngine('removing somebody', (engine) => {
  const app = startApp(engine);
  const remove = (id: number, headers: Record<string, string> = {}) =>
    app.delete(`/v1/orgs/acme/users/${id}`, { as: 'ada', headers });

  test('answers 204 and writes an event; the same again answers 204 and writes none', async () => {
    const { id } = await addMember(app, 'editor');
    const answer = await remove(id, { 'if-match': '"v1"' });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
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

  test('gives the id in the graph, again and again', async () => {
    const { id } = await addMember(app, 'editor');
    for (let time = 0; time < 2; time += 1) {
      const document = `mutation { deleteMember(org: "acme", userId: ${id}) }`;
      const { body } = await app.graphql(document, {}, { as: 'ada' });
      expect(body).toEqual({ data: { deleteMember: String(id) } });
    }
    expect((await app.get(`/v1/users/${id}`, { as: 'ada' })).status).toBe(404);
  });

  test('at another version is 412', async () => {
    const { id } = await addMember(app, 'editor');
    const answer = await writesNothing(app, () => remove(id, { 'if-match': '"v2"' }));
    expectError(answer, { status: 412, code: 'precondition_failed' });
  });

  test('they are not found or listed any more', async () => {
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
    { method: 'GET', path: (id: number) => `/v1/users/${id}/orders` },
    { method: 'POST', path: (id: number) => `/v1/users/${id}/orders`, body: { items: TWO_LAMPS } },
    { method: 'PATCH', path: (id: number) => `/v1/users/${id}`, body: { name: 'Back' } },
    { method: 'PATCH', path: (id: number) => `/v1/orgs/acme/users/${id}`, body: { role: 'admin' } },
  ])('$method of one who left is 404, and 403 to another organisation', async ({ method, path, body }) => {
    const { id } = await addMember(app, 'editor');
    await remove(id);
    const attempt = (as: Person) =>
      writesNothing(app, () => app.request(method, path(id), { as, ...(body && { body }) }));
    expectError(await attempt('ada'), { status: 404, code: 'not_found' });
    expectError(await attempt('gil'), { status: 403, code: 'forbidden' });
  });

  test('they cannot sign in: the answer and the work are those for an address that nobody has', async () => {
    const { id, email, password } = await addMember(app, 'editor');
    await remove(id);
    const answer = await app.post('/v1/auth/login', { body: { email, password } });
    const ran = [...app.statements];
    const unknown = await app.post('/v1/auth/login', { body: { email: 'nobody@acme.test', password } });
    expectError(answer, { status: 401, code: 'invalid_credentials' });
    expect(answer.text).toBe(unknown.text);
    expect(ran).toEqual(app.statements);
    expect(ran).toEqual(['users.byEmail']);
  });

  test('it is removed_at that counts, whatever else a row still has', async () => {
    const left = await addMember(app, 'admin');
    await engine.place.query(`update users set removed_at = created_at where id = ${left.id}`);
    const { email, password } = left;
    const answer = await app.post('/v1/auth/login', { body: { email, password } });
    expectError(answer, { status: 401, code: 'invalid_credentials' });
    expect((await app.post('/v1/orgs/acme/users', { as: 'ada', body: newcomer({ email }) })).status).toBe(
      201,
    );
    expectError(await remove(1), { status: 409, code: 'conflict' });
  });

  test('their sessions end: refresh is 401, and an access token finds nobody behind it', async () => {
    const member = await addMember(app, 'editor');
    const session = await signIn(app, member);
    const { refresh_token } = session;
    await remove(member.id);

    const answer = await app.post('/v1/auth/refresh', { body: { refresh_token } });
    expectError(answer, { status: 401, code: 'invalid_token' });
    expect((await app.post('/v1/auth/logout', { body: { refresh_token } })).status).toBe(204);
    const reasons = `select revoked_reason from sessions where user_id = ${member.id}`;
    expect(await engine.place.query(reasons)).toEqual([{ revoked_reason: 'removed' }]);

    const document = '{ me { id } products(first: 1) { nodes { id } } }';
    const { body } = await app.graphql(document, {}, { as: session });
    expect(body).toEqual({ data: { me: null, products: { nodes: [{ id: '1' }] } } });
  });

  test('a session that began at the very moment is not refreshed either', async () => {
    const member = await addMember(app, 'editor');
    const { refresh_token } = await signIn(app, member);
    await remove(member.id);
    await engine.place.query(`update sessions set revoked_at = null where user_id = ${member.id}`);
    const answer = await app.post('/v1/auth/refresh', { body: { refresh_token } });
    expectError(answer, { status: 401, code: 'invalid_token' });
  });

  test('what they did still leads to their name, and nothing else of them is left', async () => {
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
  ] as const)('their address is free again, for somebody else in $org', async ({ org, as }) => {
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

describeEachEngine('two administrators at once', (engine) => {
  const app = startApp(engine);
  const ROUNDS = 8;

  interface Administrator {
    readonly id: number;
    readonly token: string;
  }

  /** How one makes another cease to be an administrator. */
  const ways = {
    demotes: (by: Administrator, { id }: Administrator) =>
      app.patch(`/v1/orgs/globex/users/${id}`, { as: by, body: { role: 'viewer' } }),
    removes: (by: Administrator, { id }: Administrator) =>
      app.delete(`/v1/orgs/globex/users/${id}`, { as: by }),
  };

  async function administrators(): Promise<number[]> {
    const rows = await engine.place.query(
      `select id from users where org = 'globex' and role = 'admin' and removed_at is null`,
    );
    return rows.map((row) => Number(row['id']));
  }

  engine.testConcurrent('who act against each other: one remains, and the other is told 409', async () => {
    let one: Administrator = { id: 4, ...(await app.signIn('gil')) };
    for (const [first, second] of [
      ['demotes', 'demotes'],
      ['removes', 'removes'],
      ['demotes', 'removes'],
    ] as const) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const added = await addMember(app, 'admin', { org: 'globex', as: one });
        const other = { id: added.id, token: (await signIn(app, added)).token };
        const answers = await Promise.all([ways[first](one, other), ways[second](other, one)]);

        const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
        expect([200, 204], won?.text).toContain(won?.status);
        expect(lost?.status, lost?.text).toBe(409);
        const remaining = await administrators();
        expect(remaining).toHaveLength(1);
        one = remaining[0] === one.id ? one : other;
      }
    }
  });
});
