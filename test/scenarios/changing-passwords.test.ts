/** Changing one's own password, through both doors: validation, permissions, and the sessions that end. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { addMember, type Member, signIn } from '../support/fixtures/members.ts';
import { keyLookups } from '../support/key-lookups.ts';
import { DEFAULTS } from '../support/settings.ts';

const CHANGE = `mutation ($id: ID!, $current: String!, $next: String!, $key: String) {
  changePassword(userId: $id, currentPassword: $current, newPassword: $next, idempotencyKey: $key)
}`;

interface Change {
  readonly id: number;
  readonly current: string;
  readonly next: string;
  readonly key?: string;
}

interface Outcome {
  readonly code: string | null;
  readonly paths: readonly string[];
}

describeEachEngine("changing one's own password", (engine) => {
  const lookups = keyLookups();
  const app = startApp(engine, { around: lookups.around });

  const doors: readonly [string, (token: string, change: Change) => Promise<Outcome>][] = [
    ...['/v1', '/v2'].map((version): (typeof doors)[number] => [
      version,
      async (token, { id, current, next, key }) => {
        const response = await app.request('PUT', `${version}/users/${id}/password`, {
          as: { token },
          body: { current_password: current, new_password: next },
          ...(key && { headers: { 'idempotency-key': key } }),
        });
        if (response.status === 204) return { code: null, paths: [] };
        const { error } = response.body as { error: { code: string; details?: readonly { path: string }[] } };
        return { code: error.code, paths: (error.details ?? []).map(({ path }) => path) };
      },
    ]),
    [
      'the graph',
      async (token, { key = null, ...change }) => {
        const { body } = await app.graphql(CHANGE, { ...change, key }, { as: { token } });
        const { code = null, details = [] } = body.errors?.[0]?.extensions ?? {};
        const snake = (path: string) => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        return { code, paths: details.map(({ path }) => snake(path)) };
      },
    ],
  ];

  const signsIn = async (member: Member, password: string) =>
    (await app.post('/v1/auth/login', { body: { email: member.email, password } })).status;
  const reads = async (token: string) => (await app.get('/v1/products', { as: { token } })).status;

  describe.each(doors)('through %s', (_title, change) => {
    test('ends other sessions and keeps the current one', async () => {
      const member = await addMember(app, 'viewer');
      const other = await signIn(app, member);
      const own = await signIn(app, member);
      const next = 'blue harbour lantern';
      const { id } = member;

      expect(await change(own.token, { id, current: member.password, next })).toEqual({
        code: null,
        paths: [],
      });

      expect(await reads(own.token)).toBe(200);
      expect(await reads(other.token), 'an access token of another session').toBe(401);
      const refresh = (refresh_token: string) =>
        app.post('/v1/auth/refresh', { body: { refresh_token } }).then(({ status }) => status);
      expect(await refresh(other.refresh_token)).toBe(401);
      expect(await refresh(own.refresh_token)).toBe(200);
      expect(await signsIn(member, member.password)).toBe(401);
      expect(await signsIn(member, next)).toBe(200);
      expect((await app.events()).at(-1)).toMatchObject({
        type: 'user.password_changed',
        actorId: id,
        subjectId: id,
        data: { name: member.name, means: 'current_password' },
      });
    });

    test('with an idempotency key runs once: a retry replays the response, although the password has changed', async () => {
      const member = await addMember(app, 'viewer');
      const { token } = await signIn(app, member);
      const { id, password: current } = member;
      const request = { id, current, next: 'blue harbour lantern', key: randomUUID() };
      expect((await change(token, request)).code).toBeNull();
      expect((await writesNothing(app, () => change(token, request))).code).toBeNull();
      expect((await change(token, { ...request, next: 'another harbour' })).code).toBe(
        'idempotency_key_reused',
      );
      await engine.place.query("update idempotency_records set status = 'new', outcome = null");
      expect((await change(token, request)).code).toBe('idempotency_in_progress');
    });

    test('with an idempotency key gets the outcome of the first request, if that changes the password during the retry', async () => {
      const member = await addMember(app, 'viewer');
      const { token } = await signIn(app, member);
      const { id, password: current } = member;
      const request = { id, current, next: 'blue harbour lantern', key: randomUUID() };
      let first: Outcome | undefined;
      lookups.afterNext(async () => {
        first = await change(token, request);
      });
      const second = await change(token, request);
      expect([first?.code, second.code]).toEqual([null, null]);
      expect(await signsIn(member, request.next)).toBe(200);
    });

    test.each([
      { given: 'a wrong current password', change: { current: 'not this one' }, path: 'current_password' },
      { given: 'an empty current password', change: { current: '' }, path: 'current_password' },
      { given: 'a new password of 7 characters', change: { next: '7 chars' }, path: 'new_password' },
      { given: 'a new password of 257 characters', change: { next: 'n'.repeat(257) }, path: 'new_password' },
      { given: 'a common password', change: { next: 'QwertyUIOP' }, path: 'new_password' },
      { given: 'the name as the password', change: { next: 'the castell key' }, path: 'new_password' },
    ])('refuses $given', async ({ change: changes, path }) => {
      const member = await addMember(app, 'viewer');
      const { token } = await signIn(app, member);
      const request = { id: member.id, current: member.password, next: 'blue harbour lantern', ...changes };
      const outcome = await writesNothing(app, () => change(token, request));
      expect(outcome).toEqual({ code: 'validation_failed', paths: [path] });
      expect(await signsIn(member, member.password)).toBe(200);
    });

    test('is refused for administrators and for narrowed credentials', async () => {
      const member = await addMember(app, 'viewer');
      const request = { id: member.id, current: member.password, next: 'blue harbour lantern' };
      const narrowed = await app.post<{ access_token: string }>('/v1/auth/login', {
        body: { email: member.email, password: member.password, scopes: ['read:users'] },
      });
      const { token: admin } = await app.signIn('ada');
      for (const token of [admin, narrowed.body.access_token]) {
        expect((await writesNothing(app, () => change(token, request))).code).toBe('forbidden');
      }
    });

    test('succeeds once for several simultaneous requests', async () => {
      const member = await addMember(app, 'viewer');
      const { token } = await signIn(app, member);
      const { id, password: current } = member;
      const outcomes = await Promise.all(
        ['one', 'two', 'three'].map((word) => change(token, { id, current, next: `blue harbour ${word}` })),
      );
      // The other requests found a changed password, before or after they verified the current one.
      const codes = outcomes.map(({ code }) => code);
      expect(codes.filter((code) => code === null)).toHaveLength(1);
      for (const code of codes) expect([null, 'conflict', 'validation_failed']).toContain(code);
    });

    test('limits wrong current passwords like failed sign-ins', async () => {
      const member = await addMember(app, 'viewer');
      const { token } = await signIn(app, member);
      const wrong = { id: member.id, current: 'not this one', next: 'blue harbour lantern' };
      for (let n = 0; n < DEFAULTS.signIns.perAccount; n += 1) await change(token, wrong);
      expect((await change(token, { ...wrong, current: member.password })).code).toBe('rate_limited');
      expect(await signsIn(member, member.password)).toBe(429);
    });
  });

  test('does not write a password or hash to the event log, the server log or the idempotency record', async () => {
    const member = await addMember(app, 'viewer');
    const { token } = await signIn(app, member);
    const next = 'nowhere-but-in-its-hash';
    await app.request('PUT', `/v1/users/${member.id}/password`, {
      as: { token },
      body: { current_password: member.password, new_password: next },
      headers: { 'idempotency-key': randomUUID() },
    });
    const tables = ['events', 'users', 'sessions', 'idempotency_records'];
    const rows = await Promise.all(tables.map((table) => engine.place.query(`select * from ${table}`)));
    const kept = JSON.stringify(rows) + app.log.join('\n');
    expect(kept).not.toContain(next);
    expect(kept).not.toContain(member.password);
    expect(JSON.stringify(rows[0]) + app.log.join('\n')).not.toContain('argon2');
  });
});
