/** Adding members to an organisation: their rights, invalid input, and where the password must not appear. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addMember, newcomer, signIn } from '../support/fixtures/members.ts';
import { TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { User } from '../support/response-bodies.ts';
import { memberDoors } from './member-doors.ts';

describeEachEngine('adding a member', (engine) => {
  const app = startApp(engine);
  const add = (changes: object) =>
    app.post<User>('/v1/orgs/acme/users', { as: 'ada', body: newcomer(changes) });

  test('returns 201 with the user and the location, and writes an event', async () => {
    const response = await add({ email: 'Nia.Roth@Acme.Test' });

    expect(response.status).toBe(201);
    const { id } = response.body;
    const now = app.clock().toISOString();
    expect(response.body).toEqual({
      id: expect.any(Number),
      org: 'acme',
      name: 'Nia Roth',
      email: 'nia.roth@acme.test',
      role: 'editor',
      avatar_url: `https://portico.test/images/user-${id}.svg`,
      created_at: now,
      updated_at: now,
    });
    expect(response.headers.get('etag')).toBe('"v1"');
    expect(response.headers.get('location')).toBe(`/v1/users/${id}`);
    expect((await app.get(`/v1/users/${id}`, { as: 'vic' })).text).toBe(response.text);
    expect((await app.events()).at(-1)).toMatchObject({
      org: 'acme',
      type: 'user.added',
      actorId: 1,
      subjectType: 'user',
      subjectId: id,
      data: { name: 'Nia Roth', role: 'editor' },
    });
  });

  test('is refused for credentials that lack scopes of the new role', async () => {
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

  test('lets people sign in whose address was stored as they had entered it', async () => {
    const entered = 'zoe\u0308@mu\u0308nchen.test';
    const { body, text } = await add({ email: 'zoe@acme.test' });
    expect(body.id, text).toBeGreaterThan(0);
    await engine.place.query(`update users set email = '${entered}' where id = ${body.id}`);
    const credentials = { email: entered, password: newcomer().password };
    expect((await app.post('/v1/auth/login', { body: credentials })).status).toBe(200);
  });

  test('takes such an address as that of the account', async () => {
    const entered = 'chloe\u0308@acme.test';
    const { id } = (await add({ email: 'chloe@acme.test' })).body;
    await engine.place.query(`update users set email = '${entered}' where id = ${id}`);
    expect((await add({ email: entered })).status).toBe(409);
    const body = { email: entered, role: 'viewer' };
    expect((await app.post('/v1/orgs/acme/invitations', { as: 'ada', body })).status).toBe(409);
  });

  test('takes an address in every Unicode normalization form as the same', async () => {
    const composed = 'jos\u00e9@acme.test';
    const decomposed = 'JOSE\u0301@acme.test';
    const response = await add({ email: decomposed });
    expect(response.body.email).toBe(composed);
    for (const email of [composed, decomposed]) {
      expect((await add({ email })).status).toBe(409);
      const { password } = newcomer();
      const signedIn = await app.post('/v1/auth/login', { body: { email, password } });
      expect(signedIn.status, signedIn.text).toBe(200);
    }
  });

  for (const { role, orders, people } of [
    { role: 'admin', orders: 201, people: 201 },
    { role: 'editor', orders: 201, people: 403 },
    { role: 'viewer', orders: 403, people: 403 },
  ] as const) {
    test(`as ${role}: the user can sign in and has the rights of the role`, async () => {
      const member = await addMember(app, role);
      const as = await signIn(app, { ...member, email: member.email.toUpperCase() });
      const { body } = await app.graphql('{ me { role unreadNotifications } }', {}, { as });
      // The only unread event is that they joined.
      expect(body.data).toEqual({ me: { role, unreadNotifications: 1 } });
      const order = await app.post(`/v1/users/${member.id}/orders`, { as, body: { items: TWO_LAMPS } });
      expect(order.status).toBe(orders);
      expect((await app.post('/v1/orgs/acme/users', { as, body: newcomer() })).status).toBe(people);
    });
  }

  test('the password is stored only as a hash', async () => {
    const password = 'Tr0ubador&3-nowhere';
    const responses = [
      await add({ password }),
      await add({ password, role: 'king' }),
      await add({ password, email: 'ada@acme.test' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 422, 409]);
    const texts = responses.map(({ text }) => text).join();
    const people = JSON.stringify(await engine.place.query('select * from users'));
    const log = JSON.stringify(await engine.place.query('select * from events'));
    expect(texts + people + log).not.toContain(password);
    expect(texts + log).not.toContain('argon2');
  });

  const long = 'a'.repeat(255 - '@b.test'.length);

  describe.each(memberDoors(app))('through %s', (title, door) => {
    test.each([
      { given: 'an address without @', changes: { email: 'nia.acme.test' }, path: 'email' },
      { given: 'an address with two @', changes: { email: 'nia@roth@acme.test' }, path: 'email' },
      { given: 'an address with nothing before the @', changes: { email: '@acme.test' }, path: 'email' },
      { given: 'an address with nothing after the @', changes: { email: 'nia@' }, path: 'email' },
      { given: 'a domain with a final dot', changes: { email: 'nia@acme.test.' }, path: 'email' },
      { given: 'a domain with an empty label', changes: { email: 'nia@acme..test' }, path: 'email' },
      { given: 'a domain that is none', changes: { email: 'nia@\u00e4_b.test' }, path: 'email' },
      { given: 'a host with a leading zero', changes: { email: 'nia@[192.0.2.01]' }, path: 'email' },
      { given: 'an address with a space', changes: { email: 'nia roth@acme.test' }, path: 'email' },
      {
        given: 'an address with a leading space',
        changes: { email: ' nia@acme.test' },
        path: 'email',
      },
      { given: 'an address with a line break', changes: { email: 'nia@acme.test\n' }, path: 'email' },
      { given: 'an address with a NUL', changes: { email: 'ni\u0000a@acme.test' }, path: 'email' },
      {
        given: 'an address with a zero-width space',
        changes: { email: 'ni\u200ba@acme.test' },
        path: 'email',
      },
      { given: 'an address in angle brackets', changes: { email: '<nia@acme.test>' }, path: 'email' },
      { given: 'an address that ends with a bracket', changes: { email: 'nia@acme.test>' }, path: 'email' },
      { given: 'an address in quotes', changes: { email: '"nia"@acme.test' }, path: 'email' },
      { given: 'an address with a comment', changes: { email: 'nia(1)@acme.test' }, path: 'email' },
      { given: 'a list of addresses', changes: { email: 'ada,nia@acme.test' }, path: 'email' },
      { given: 'an address of 255 characters', changes: { email: `${long}@b.test` }, path: 'email' },
      {
        given: 'an address that exceeds the limit in lower case',
        changes: { email: `${'\u0130'.repeat(200)}@acme.test` },
        path: 'email',
      },
      { given: 'an empty address', changes: { email: '' }, path: 'email' },
      { given: 'a blank name', changes: { name: '  ' }, path: 'name' },
      { given: 'a password of 7 characters', changes: { password: '1234567' }, path: 'password' },
      { given: 'a password of 7 emoji', changes: { password: '\u{1f511}'.repeat(7) }, path: 'password' },
      { given: 'a password of 257 characters', changes: { password: 'p'.repeat(257) }, path: 'password' },
      { given: 'a common password', changes: { password: 'Password1' }, path: 'password' },
      { given: 'the name as the password', changes: { password: 'my nia roth' }, path: 'password' },
      {
        given: 'the address as the password',
        changes: { email: 'quentin@acme.test', password: 'QUENTIN@acme.test' },
        path: 'password',
      },
    ])('refuses $given', async ({ changes, path }) => {
      const outcome = await writesNothing(app, () => door.create('ada', newcomer(changes)));
      expect(outcome).toMatchObject({ code: 'validation_failed', paths: [path] });
    });

    test('reports all invalid members together', async () => {
      const { paths } = await door.create('ada', newcomer({ email: '', name: '', password: '' }));
      expect(paths.toSorted()).toEqual(['email', 'name', 'password']);
    });

    test.each([
      { given: 'an address of 254 characters', changes: { email: `${long.slice(1)}@b.test` } },
      { given: 'an address with accents and a plus', changes: { email: 'j\u00fcrgen+x@ex\u00e4mple.test' } },
      { given: 'an address of a host', changes: { email: 'nia@[192.0.2.1]' } },
      { given: 'an IPv6 address of a host', changes: { email: 'nia@[IPv6:2001:db8::1]' } },
      { given: 'an address with an apostrophe', changes: { email: "nia.o'roth@acme.test" } },
      { given: 'a password of 8 characters', changes: { password: '27182818' } },
      { given: 'a password of 256 characters', changes: { password: '\u00fc'.repeat(256) } },
      { given: 'a password of 256 emoji', changes: { password: '\u{1f511}'.repeat(256) } },
    ])('accepts $given, and the user can sign in', async ({ changes }) => {
      const { email: wanted, ...others } = newcomer(changes);
      // Each door adds one user, so one of them needs another address.
      const email = title === 'REST' ? wanted : wanted.replace(/^./, 'z');
      expect(await door.create('ada', { email, ...others })).toMatchObject({ code: null });
      await signIn(app, { email, password: others.password });
    });

    test.each(['ed@acme.test', 'ED@Acme.test', 'gil@globex.test'])(
      'returns 409 if %s has an account already, and does not reveal whose it is',
      async (email) => {
        const outcome = await writesNothing(app, () => door.create('ada', newcomer({ email })));
        expect(outcome).toMatchObject({ code: 'conflict', paths: ['email'] });
        expect(outcome.text).not.toMatch(/globex|gil|okafor|moreau/i);
      },
    );

    test('does not reveal accounts to requests that cannot create one', async () => {
      for (const email of ['gil@globex.test', 'unknown@globex.test']) {
        const outcome = await door.create('ada', newcomer({ email, password: 'Password1' }));
        expect(outcome).toMatchObject({ code: 'validation_failed', paths: ['password'] });
      }
    });

    test('of several simultaneous requests for one address, one succeeds', async () => {
      const input = newcomer();
      const outcomes = await Promise.all([1, 2, 3].map(() => door.create('ada', input)));
      expect(outcomes.filter(({ code }) => code === null)).toHaveLength(1);
      const others = outcomes.filter(({ code }) => code !== null);
      for (const other of others) expect(other).toMatchObject({ code: 'conflict', paths: ['email'] });
    });

    test.each(['globex', 'nowhere'])('refuses administrators of acme for %s', async (org) => {
      const outcome = await writesNothing(app, () => door.create('ada', newcomer(), org));
      expect(outcome.code).toBe('forbidden');
    });
  });
});
