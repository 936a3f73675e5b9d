/** Users: reading them, and who may change which name. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Tokens } from '../../src/auth/tokens.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { codesOf, type Sender } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addPerson } from '../support/fixtures/rows.ts';
import type { Session, User } from '../support/response-bodies.ts';

const ED = '/v1/users/2';

describeEachEngine('users', (engine) => {
  const app = startApp(engine);

  describe('reading', () => {
    test('members of the organisation see each other', async () => {
      const response = await app.get(ED, { as: 'vic' });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        id: 2,
        org: 'acme',
        name: 'Ed Okafor',
        email: 'ed@acme.test',
        role: 'editor',
        avatar_url: `${PUBLIC_URL}/images/user-2.svg`,
        created_at: '2026-01-02T11:00:00.000Z',
        updated_at: '2026-01-02T11:00:00.000Z',
      });
      expect(response.headers.get('etag')).toBe('"v1"');
      expect(response.text).not.toMatch(/argon2|password/i);
    });

    test('the image is at the returned URL', async () => {
      expect((await app.get('/images/user-2.svg')).headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    });

    test('me is the caller', async () => {
      const response = await app.graphql('{ me { id email role org } }', {}, { as: 'gil' });
      expect(response.body).toEqual({
        data: { me: { id: '4', email: 'gil@globex.test', role: 'admin', org: 'globex' } },
      });
      const [me, user] = [
        await app.get('/v1/me', { as: 'gil' }),
        await app.get('/v1/users/4', { as: 'gil' }),
      ];
      expect([me.status, me.body, me.headers.get('etag')]).toEqual([
        200,
        user.body,
        user.headers.get('etag'),
      ]);
    });

    test.each(['/v1/me', '/v2/me'])(
      '%s: 404 if the account of a valid token no longer exists',
      async (path) => {
        const { keys, clock } = app;
        const tokens = new Tokens({ keys, clock, issuer: PUBLIC_URL, audience: PUBLIC_URL });
        // As after a backup from before the account was restored.
        const subject = { userId: 999_999, org: 'acme', role: 'viewer', scopes: ['read:users'] } as const;
        const headers = { authorization: `Bearer ${(await tokens.issue(subject)).accessToken}` };
        expectError(await app.get(path, { headers }), { status: 404, code: 'not_found' });
      },
    );

    for (const { given, path, status, code, paths } of [
      { given: 'an unknown user', path: '/v1/users/999999', status: 404, code: 'not_found' },
      { given: 'letters', path: '/v1/users/me', status: 400, code: 'invalid_parameter', paths: ['user_id'] },
    ]) {
      test(`${given}: ${status} ${code}`, async () => {
        expectError(await app.get(path, { as: 'ada' }), { status, code, paths });
      });
    }
  });

  describe('changing', () => {
    let tag: string;
    let before: User;

    beforeEach(async () => {
      const response = await app.get<User>(ED, { as: 'ed' });
      tag = response.headers.get('etag') ?? '';
      before = response.body;
    });

    const rename = (name: unknown, as: Sender, path = ED) => app.patch<User>(path, { as, body: { name } });

    /** The statements of the last request that lock the organisation. */
    const locking = () => app.statements.filter((name) => name.startsWith('standing.'));

    for (const { who, as, actorId } of [
      { who: 'a user', as: 'ed', actorId: 2 },
      { who: 'an admin', as: 'ada', actorId: 1 },
    ] as const) {
      test(`${who} changes the name, and an event records it`, async () => {
        app.clock.advance(1000);
        const response = await rename(`Eddie (${as})`, as);
        expect(response.status).toBe(200);
        expect(locking()).toHaveLength(1);
        expect(response.body).toEqual({
          ...before,
          name: `Eddie (${as})`,
          updated_at: app.clock().toISOString(),
        });
        expect(response.headers.get('etag')).not.toBe(tag);
        expect((await app.get(ED, { as: 'vic' })).text).toBe(response.text);
        expect((await app.events()).at(-1)).toEqual({
          id: expect.any(Number),
          org: 'acme',
          type: 'user.updated',
          actorId,
          subjectType: 'user',
          subjectId: 2,
          data: { name: `Eddie (${as})` },
        });
      });
    }

    for (const { given, as, path, status, code } of [
      { given: 'an editor for a colleague', as: 'ed', path: '/v1/users/3', status: 403, code: 'forbidden' },
      {
        given: 'an editor for an administrator',
        as: 'ed',
        path: '/v1/users/1',
        status: 403,
        code: 'forbidden',
      },
      {
        given: 'an administrator for an unknown user',
        as: 'ada',
        path: '/v1/users/999999',
        status: 404,
        code: 'not_found',
      },
    ] as const) {
      test(`${given}: ${status} ${code}, without a lock`, async () => {
        const response = await writesNothing(app, () => rename('Mallory', as, path));
        expectError(response, { status, code });
        expect(locking()).toEqual([]);
      });
    }

    test('a viewer changes their own name', async () => {
      expect((await rename('Vic L.', 'vic', '/v1/users/3')).status).toBe(200);
    });

    test('a narrowed token cannot change its own user', async () => {
      const reader = await app.signIn('ed', ['read:users', 'read:orders']);
      const response = await writesNothing(app, () =>
        app.patch(ED, { as: reader, body: { name: 'Mallory' } }),
      );
      expectError(response, { status: 403, code: 'insufficient_scope' });
    });

    for (const { given, body, at } of [
      // PostgreSQL cannot store such a string, so no engine accepts it.
      { given: 'a name with a NUL', body: { name: 'Ed\u0000die' }, at: 'name' },
      { given: 'a role', body: { role: 'admin' }, at: 'role' },
      { given: 'an address', body: { email: 'eve@acme.test' }, at: 'email' },
      { given: 'a password hash', body: { password_hash: 'x' }, at: 'password_hash' },
    ]) {
      test(`${given}: 422 at ${at}`, async () => {
        const response = await writesNothing(app, () => app.patch(ED, { as: 'ada', body }));
        expectError(response, { status: 422, code: 'validation_failed', paths: [at] });
      });
    }

    test('{} changes nothing, without a lock', async () => {
      const response = await writesNothing(app, () => app.patch<User>(ED, { as: 'ed', body: {} }));
      expect(response.body).toEqual(before);
      expect(locking()).toEqual([]);
    });

    test.each([
      { became: 'an editor', method: 'PATCH', body: { role: 'editor' }, own: 200, others: 'forbidden' },
      { became: 'a removed user', method: 'DELETE', body: undefined, own: 401, others: 'invalid_token' },
    ])(
      'an administrator who is now $became can no longer change other users',
      async ({ method, body, own, others }) => {
        const email = `former-${own}@acme.test`;
        const id = await addPerson(engine, { email, role: 'admin' });
        const session = await app.post<Session>('/v1/auth/login', {
          body: { email, password: DEMO_PASSWORD },
        });
        const as = { token: session.body.access_token };
        expect((await rename('While in office', as)).status).toBe(200);
        await app.request(method, `/v1/orgs/acme/users/${id}`, { as: 'ada', ...(body && { body }) });

        const mutation = 'mutation { updateUser(id: 2, input: { name: "Mallory" }) { name } }';
        const inGraph = await writesNothing(app, () => app.graphql(mutation, {}, { as }));
        expect(codesOf(inGraph)).toEqual([others]);
        expect((await rename('Myself', as, `/v1/users/${id}`)).status).toBe(own);
      },
    );

    test('GraphQL has the same rules', async () => {
      const document =
        'mutation ($id: ID!, $n: String) { updateUser(id: $id, input: { name: $n }) { name } }';
      const allowed = await app.graphql(document, { id: 2, n: 'Ed O.' }, { as: 'ed' });
      expect(allowed.body).toEqual({ data: { updateUser: { name: 'Ed O.' } } });
      const refused = await writesNothing(app, () =>
        app.graphql(document, { id: 3, n: 'Mallory' }, { as: 'ed' }),
      );
      expect(codesOf(refused)).toEqual(['forbidden']);
      const empty = await writesNothing(app, () => app.graphql(document, { id: 2, n: '' }, { as: 'ed' }));
      expect(codesOf(empty)).toEqual(['validation_failed']);
    });
  });
});
