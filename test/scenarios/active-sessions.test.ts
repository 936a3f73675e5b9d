/** Active sessions: who may list and end them, and which tokens end with them. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { Sender } from '../support/client.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addMember, claimsOf, type Member, signIn } from '../support/fixtures/members.ts';
import type { CursorPage } from '../support/response-bodies.ts';

interface ActiveSession {
  readonly id: number;
  readonly user_id: number;
  readonly current: boolean;
  readonly last_used_at: string;
}

const idOf = (token: string) => Number(claimsOf(token)['sid']);

describeEachEngine('active sessions', (engine) => {
  const app = startApp(engine);
  const list = (as: Sender, query = '') => app.get<CursorPage<ActiveSession>>(`/v1/sessions${query}`, { as });
  const idsOf = async (as: Sender, query = '') => (await list(as, query)).body.data.map(({ id }) => id);
  const end = (as: Sender, id: number) => app.delete(`/v1/sessions/${id}`, { as });

  test('are listed for their user, with their origin and which one is current', async () => {
    const member = await addMember(app, 'viewer');
    const first = await signIn(app, member);
    app.clock.advance(60_000);
    const second = await signIn(app, member);
    const begun = app.clock().toISOString();

    const { body } = await list(second);
    expect(body.data).toHaveLength(2);
    expect(body.data[1]).toEqual({
      id: idOf(second.token),
      user_id: member.id,
      scopes: ['read:users', 'read:orders', 'read:docs', 'read:charges', 'read:feed'],
      address: '127.0.0.1',
      current: true,
      created_at: begun,
      last_used_at: begun,
      expires_at: new Date(Date.parse(begun) + 30 * 86_400_000).toISOString(),
    });
    expect(body.data[0]).toMatchObject({ id: idOf(first.token), current: false });
    const read = (as: Sender, id: number) => app.get(`/v1/sessions/${id}`, { as });
    expect((await read(second, idOf(second.token))).body).toEqual(body.data[1]);
    expect((await read('ada', idOf(first.token))).body).toEqual(body.data[0]);
    expectError(await read('ed', idOf(first.token)), { status: 403, code: 'forbidden' });

    app.clock.advance(60_000);
    await app.post('/v1/auth/refresh', { body: { refresh_token: first.refresh_token } });
    expect((await list(second)).body.data[0]?.last_used_at).toBe(app.clock().toISOString());
  });

  test('are paged for one user or for all, with the same result in GraphQL', async () => {
    const member = await addMember(app, 'viewer');
    const own = await signIn(app, member);
    const other = await signIn(app, member);
    const ids = [idOf(own.token), idOf(other.token)];
    const query = `?user_id=${member.id}`;
    const page = await list('ada', `${query}&limit=1`);
    expect(page.body.data.map(({ id }) => id)).toEqual([ids[0]]);
    expect(await idsOf('ada', `${query}&limit=1&cursor=${page.body.next_cursor}`)).toEqual([ids[1]]);
    expect(await idsOf('ada', '?all=true&limit=100')).toEqual(expect.arrayContaining(ids));
    expectError(await list('ada', `?all=true&cursor=${page.body.next_cursor}`), {
      status: 400,
      code: 'invalid_cursor',
    });
    const { body } = await app.graphql(
      `{ sessions(userId: ${member.id}) { nodes { id current user { id } } hasNextPage } }`,
      {},
      { as: 'ada' },
    );
    expect(body.data?.['sessions']).toEqual({
      nodes: ids.map((id) => ({ id: String(id), current: false, user: { id: String(member.id) } })),
      hasNextPage: false,
    });
  });

  test('of others are visible to administrators of the organisation', async () => {
    const member = await addMember(app, 'viewer');
    await signIn(app, member);
    const both = await list('ada', `?user_id=${member.id}&all=true`);
    expectError(both, { status: 400, code: 'invalid_parameter', paths: ['user_id'] });
    for (const query of [`?user_id=${member.id}`, '?all=true']) {
      expectError(await list('ed', query), { status: 403, code: 'forbidden' });
    }
    expectError(await list('gil', `?user_id=${member.id}`), { status: 403, code: 'forbidden' });
    expectError(await list('ada', '?user_id=999999'), { status: 404, code: 'not_found', paths: ['user_id'] });
    expect((await list('gil', '?all=true')).body.data.map(({ user_id }) => user_id)).not.toContain(member.id);
  });

  describe('ending a session', () => {
    const doors: readonly [string, (as: Sender, id: number) => Promise<string | null>][] = [
      [
        'REST',
        async (as, id) => {
          const { status, body } = await end(as, id);
          return status === 204 ? null : (body as { error: { code: string } }).error.code;
        },
      ],
      [
        'the graph',
        async (as, id) =>
          codesOf(await app.graphql('mutation ($id: ID!) { endSession(id: $id) }', { id }, { as }))[0] ??
          null,
      ],
    ];

    test.each(doors)(
      'through %s revokes its tokens, writes one event, and can be repeated',
      async (_title, endBy) => {
        const member = await addMember(app, 'viewer');
        const kept = await signIn(app, member);
        const lost = await signIn(app, member);
        const id = idOf(lost.token);
        const newest = (await app.events()).at(-1)?.id ?? 0;

        expect(await endBy(kept, id)).toBeNull();
        expectError(await app.get(`/v1/sessions/${id}`, { as: kept }), { status: 404, code: 'not_found' });
        expect((await app.get('/v1/products', { as: lost })).status).toBe(401);
        expect((await app.get('/v1/products', { as: kept })).status).toBe(200);
        const refreshed = await app.post('/v1/auth/refresh', { body: { refresh_token: lost.refresh_token } });
        expectError(refreshed, { status: 401, code: 'invalid_token' });
        expect(await idsOf(kept)).toEqual([idOf(kept.token)]);
        expect(await writesNothing(app, () => endBy('ada', id))).toBeNull();
        expect(await app.events(newest)).toMatchObject([
          {
            type: 'session.revoked',
            actorId: member.id,
            subjectId: id,
            data: { reason: 'ended', user_id: member.id },
          },
        ]);
      },
    );

    test.each(doors)('through %s is allowed for its user and for administrators', async (_title, endBy) => {
      const member = await addMember(app, 'editor');
      const id = idOf((await signIn(app, member)).token);
      for (const as of ['ed', 'gil'] as const) {
        expect(await writesNothing(app, () => endBy(as, id))).toBe('forbidden');
      }
      expect(await endBy('ada', 999_999)).toBe('not_found');
      expect(await endBy('ada', id)).toBeNull();
    });

    test('is refused for narrowed credentials', async () => {
      const member = await addMember(app, 'viewer');
      const other = await signIn(app, member);
      const { email, password } = member;
      const { body } = await app.post<{ access_token: string }>('/v1/auth/login', {
        body: { email, password, scopes: ['read:orders'] },
      });
      const narrowed = { token: body.access_token };
      for (const id of [idOf(other.token), idOf(narrowed.token)]) {
        expectError(await end(narrowed, id), { status: 403, code: 'forbidden' });
      }
    });
  });

  test('signing out revokes the access tokens of the session within a second', async () => {
    const member = await addMember(app, 'viewer');
    const session = await signIn(app, member);
    await app.post('/v1/auth/logout', { body: { refresh_token: session.refresh_token } });
    await expect.poll(async () => (await app.get('/v1/products', { as: session })).status).toBe(401);
  });

  describe('access tokens issued before a change of role get the new role, and are revoked by', () => {
    type Signed = Awaited<ReturnType<typeof signIn>>;
    const ends: readonly [
      string,
      (session: Signed, member: Member) => Promise<{ readonly status: number }>,
    ][] = [
      ['signing out', ({ refresh_token }) => app.post('/v1/auth/logout', { body: { refresh_token } })],
      ['ending the session', ({ token }) => end('ada', idOf(token))],
      [
        'changing the password',
        async (_session, member) =>
          app.request('PUT', `/v1/users/${member.id}/password`, {
            as: await signIn(app, member),
            body: { current_password: member.password, new_password: 'no longer the former one' },
          }),
      ],
    ];

    test.each(ends)('%s', async (_title, endIt) => {
      const member = await addMember(app, 'viewer');
      const session = await signIn(app, member);
      const body = { role: 'editor' };
      expect((await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body })).status).toBe(200);
      expect((await app.get('/v1/products', { as: session })).status).toBe(200);
      expect((await endIt(session, member)).status).toBe(204);
      await expect.poll(async () => (await app.get('/v1/products', { as: session })).status).toBe(401);
    });
  });

  test('a role change and a reused refresh token at the same time do not deadlock', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, () => addMember(app, 'viewer')));
    const sessions = await Promise.all(members.map((member) => signIn(app, member)));
    const refresh = (refresh_token: string) => app.post('/v1/auth/refresh', { body: { refresh_token } });
    for (const { refresh_token } of sessions) await refresh(refresh_token);
    app.clock.advance(11_000);
    app.forgetStatements();
    const statuses = await Promise.all(
      members.flatMap(({ id }, index) => [
        refresh(sessions[index]?.refresh_token ?? '').then(({ status }) => status),
        app
          .patch(`/v1/orgs/acme/users/${id}`, { as: 'ada', body: { role: 'editor' } })
          .then(({ status }) => status),
      ]),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(members.length);
    expect(statuses.filter((status) => status === 200)).toHaveLength(members.length);
  });
});
