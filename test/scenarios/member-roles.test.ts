/** Changing roles: who may, when the change takes effect, and that one administrator always remains. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addMember, type Member, newcomer, signIn } from '../support/fixtures/members.ts';
import { TWO_LAMPS } from '../support/fixtures/orders.ts';
import type { User } from '../support/response-bodies.ts';
import { memberDoors } from './member-doors.ts';

const MINUTE = 60_000;

describeEachEngine('changing the role of a member', (engine) => {
  const app = startApp(engine);
  let member: Member;
  let path: string;

  beforeEach(async () => {
    member = await addMember(app, 'editor');
    path = `/v1/orgs/acme/users/${member.id}`;
  });

  test('returns 200 with the user at the next version, and writes an event', async () => {
    app.clock.advance(1000);
    const last = (await app.events()).length;
    const response = await app.patch<User>(path, { as: 'ada', body: { role: 'viewer' } });

    expect(response.status).toBe(200);
    const { password: _, ...person } = member;
    expect(response.body).toEqual({ ...person, role: 'viewer', updated_at: app.clock().toISOString() });
    expect(response.headers.get('etag')).toBe('"v2"');
    expect((await app.get(`/v1/users/${member.id}`, { as: 'vic' })).text).toBe(response.text);
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

  test("ends the member's sessions: a refresh returns 401, and access tokens have the new role until they expire", async () => {
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
    expectError(await order(session), { status: 403, code: 'insufficient_scope' });
    expect((await app.get(`/v1/users/${member.id}/orders`, { as: session })).status).toBe(200);
    app.clock.advance(1000);
    expectError(await order(session), { status: 401, code: 'token_expired' });
    app.signOutAll();
    expectError(await order(await signIn(app, member)), { status: 403, code: 'insufficient_scope' });
  });

  describe.each(memberDoors(app))('through %s', (_title, door) => {
    test('takes effect at the given version', async () => {
      const target = { userId: member.id, ifVersion: 1 };
      const { person } = await door.change('ada', target, { role: 'viewer' });
      expect(person).toMatchObject({ role: 'viewer', version: 2 });
      const stale = await writesNothing(app, () => door.change('ada', target, { role: 'editor' }));
      expect(stale.code).toBe('precondition_failed');
    });

    test('to the current role changes nothing, and ends no session', async () => {
      const { refresh_token } = await signIn(app, member);
      for (const input of [{ role: 'editor' }, {}]) {
        const { person } = await writesNothing(app, () => door.change('ada', { userId: member.id }, input));
        expect(person).toMatchObject({ role: 'editor', version: 1 });
      }
      expect((await app.post('/v1/auth/refresh', { body: { refresh_token } })).status).toBe(200);
      const stale = await door.change('ada', { userId: member.id, ifVersion: 7 }, { role: 'editor' });
      expect(stale.code).toBe('precondition_failed');
    });

    test('to null is refused', async () => {
      const outcome = await writesNothing(app, () =>
        door.change('ada', { userId: member.id }, { role: null }),
      );
      expect(outcome).toMatchObject({ code: 'validation_failed', paths: ['role'] });
    });

    test('of an unknown user returns not_found, and so does removing', async () => {
      const target = { userId: 999_999 };
      const changed = await writesNothing(app, () => door.change('ada', target, { role: 'viewer' }));
      const removed = await writesNothing(app, () => door.remove('ada', target));
      expect([changed.code, removed.code]).toEqual(['not_found', 'not_found']);
    });

    test('the last administrator can neither lose the role nor leave', async () => {
      const second = await addMember(app, 'admin');
      // Neither a removed administrator nor one of another organisation counts.
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

    test('another administrator may lose the role, or leave', async () => {
      const [second, third] = [await addMember(app, 'admin'), await addMember(app, 'admin')];
      const demoted = await door.change(await signIn(app, second), { userId: second.id }, { role: 'viewer' });
      expect(demoted.person).toMatchObject({ role: 'viewer' });
      expect((await door.remove(await signIn(app, third), { userId: third.id })).code).toBeNull();
    });

    test('a demoted administrator cannot restore the role with an old token', async () => {
      for (const { end, status, code } of [
        { end: door.change, status: 200, code: 'insufficient_role' },
        { end: door.remove, status: 401, code: 'invalid_token' },
      ]) {
        const former = await addMember(app, 'admin');
        const as = await signIn(app, former);
        await end('ada', { userId: former.id }, { role: 'viewer' });
        expect((await app.get('/v1/orgs/acme/users', { as })).status).toBe(status);
        for (const attempt of [
          () => door.create(as, newcomer({ role: 'admin' })),
          () => door.change(as, { userId: 2 }, { role: 'admin' }),
          () => door.remove(as, { userId: 2 }),
        ]) {
          expect((await writesNothing(app, attempt)).code).toBe(code);
        }
      }
    });
  });
});

describeEachEngine('two administrators at once', (engine) => {
  const app = startApp(engine);
  const ROUNDS = 8;

  interface Administrator {
    readonly id: number;
    readonly token: string;
  }

  /** The ways in which one administrator can revoke the role of another. */
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

  engine.testConcurrent("who revoke each other's role: one remains, and the other is refused", async () => {
    let one: Administrator = { id: 4, ...(await app.signIn('gil')) };
    for (const [first, second] of [
      ['demotes', 'demotes'],
      ['removes', 'removes'],
      ['demotes', 'removes'],
    ] as const) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const added = await addMember(app, 'admin', { org: 'globex', as: one });
        const other = { id: added.id, token: (await signIn(app, added)).token };
        const responses = await Promise.all([ways[first](one, other), ways[second](other, one)]);

        const [won, lost] = responses.toSorted((a, b) => a.status - b.status);
        expect([200, 204], won?.text).toContain(won?.status);
        // The other is the last administrator by then, or is refused first because it has lost the role.
        expect([401, 403, 409], lost?.text).toContain(lost?.status);
        const remaining = await administrators();
        expect(remaining).toHaveLength(1);
        one = remaining[0] === one.id ? one : other;
      }
    }
  });
});
