/** Invitations: who may invite whom with which role, what a link can do, and that nothing reveals other accounts. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { linkToken } from '../access/shared/fixtures.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addMember, signIn } from '../support/fixtures/members.ts';
import { keyLookups } from '../support/key-lookups.ts';
import { tokenIn } from '../support/mail-server.ts';
import type { CursorPage, User } from '../support/response-bodies.ts';

interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly status: string;
}

const ACCEPTANCE = { name: 'Nia Roth', password: 'blue harbour lantern' };

let invited = 0;
const freshAddress = () => {
  invited += 1;
  return `invited-${invited}@people.test`;
};

describeEachEngine('invitations', (engine) => {
  const lookups = keyLookups();
  const app = startApp(engine, { mail: { perAddress: 2 }, around: lookups.around });
  beforeAll(() => app.outbox.start());

  const invite = (email: string, { role = 'editor', as = 'ada', org = 'acme', key = randomUUID() } = {}) =>
    app.post<Invitation>(`/v1/orgs/${org}/invitations`, {
      as: as as 'ada',
      body: { email, role },
      headers: { 'idempotency-key': key },
    });
  const accept = (token: string, body: object = ACCEPTANCE) =>
    app.request('PUT', `/v1/auth/invitations/${token}`, { body });
  const read = (token: string) => app.get(`/v1/auth/invitations/${token}`);
  const revoke = (id: number) => app.delete(`/v1/orgs/acme/invitations/${id}`, { as: 'ada' });
  const list = (query = '') =>
    app.get<CursorPage<Invitation>>(`/v1/orgs/acme/invitations${query}`, { as: 'ada' });
  const statusOf = async (id: number) =>
    (await list('?limit=100')).body.data.find((each) => each.id === id)?.status;
  const mailTo = (email: string) => app.mails.filter(({ to }) => to === email);

  test('that were stored with an address as it was entered create an account with its one spelling', async () => {
    const { id } = (await invite(freshAddress())).body;
    const entered = `jose\u0301-${id}@people.test`;
    await engine.place.query(`update invitations set email = '${entered}' where id = ${id}`);
    const token = await linkToken(engine, { invitationId: id });
    expect((await accept(token)).status).toBe(200);
    const email = entered.normalize('NFC');
    expect(await engine.place.query(`select name from users where email = '${email}'`)).toHaveLength(1);
  });

  test('are mailed, shown and accepted, and create an account that signs in', async () => {
    const email = freshAddress();
    const made = await invite(email.toUpperCase());
    expect(made.status).toBe(201);
    const now = app.clock();
    expect(made.body).toEqual({
      id: expect.any(Number),
      org: 'acme',
      email,
      role: 'editor',
      status: 'open',
      invited_by_id: 1,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 7 * 86_400_000).toISOString(),
    });
    await expect.poll(() => mailTo(email).length).toBe(1);
    const [mail] = mailTo(email);
    expect(mail?.subject).toBe('Invitation to Acme Instruments');
    expect(mail?.text).toContain('https://portico.test/invitation#plt_');
    const token = tokenIn(mail?.text ?? '');
    expect((await read(token)).body).toEqual({
      organisation: 'Acme Instruments',
      inviter: 'Ada Brandt',
      email,
      role: 'editor',
      expires_at: made.body['expires_at' as keyof Invitation],
    });

    const accepted = await accept(token);
    expect(accepted.status).toBe(200);
    const person = accepted.body as User;
    expect(person).toMatchObject({ org: 'acme', name: 'Nia Roth', email, role: 'editor' });
    await signIn(app, { email, password: ACCEPTANCE.password });
    expect((await app.events()).slice(-2)).toMatchObject([
      {
        type: 'invitation.accepted',
        actorId: person.id,
        subjectId: made.body.id,
        data: { user_id: person.id },
      },
      { type: 'user.added', actorId: person.id, subjectId: person.id, data: { name: 'Nia Roth' } },
    ]);
    expect(await statusOf(made.body.id)).toBe('accepted');
    for (const again of [await accept(token), await read(token)]) {
      expectError(again, { status: 404, code: 'not_found' });
    }
    expectError(await revoke(made.body.id), { status: 409, code: 'conflict' });
  });

  test('work the same through GraphQL', async () => {
    const email = freshAddress();
    const create = `mutation ($email: String!) {
      createInvitation(org: "acme", input: { email: $email, role: viewer }) { id status email }
    }`;
    const made = await app.graphql<{ createInvitation: { id: string } }>(create, { email }, { as: 'ada' });
    const id = made.body.data?.createInvitation.id ?? '';
    expect(made.body.data?.createInvitation).toEqual({ id, status: 'open', email });
    const token = await linkToken(engine, { invitationId: Number(id) });
    const join = `mutation ($token: String!, $name: String!, $password: String!) {
      acceptInvitation(token: $token, name: $name, password: $password) { email role }
    }`;
    const joined = await app.graphql(join, { token, ...ACCEPTANCE });
    expect(joined.body.data).toEqual({ acceptInvitation: { email, role: 'viewer' } });
    const shown = await app.graphql(
      'query ($token: String!) { receivedInvitation(token: $token) { role } }',
      {
        token,
      },
    );
    expect(codesOf(shown)).toEqual(['not_found']);
  });

  test('run once with a key, and do not reveal accounts of other organisations', async () => {
    const key = randomUUID();
    const email = freshAddress();
    const first = await invite(email, { key });
    const again = await writesNothing(app, () => invite(email, { key }));
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');

    const elsewhere = await invite('gil@globex.test');
    expect(elsewhere.status).toBe(201);
    expect(Object.keys(elsewhere.body)).toEqual(Object.keys(first.body));
    const token = await linkToken(engine, { invitationId: elsewhere.body.id });
    expectError(await writesNothing(app, () => accept(token)), { status: 409, code: 'conflict' });
  });

  test('return a conflict for members, and for an address with an open invitation', async () => {
    const taken = await writesNothing(app, () => invite('ED@acme.test'));
    expectError(taken, { status: 409, code: 'conflict', paths: ['email'] });
    const email = freshAddress();
    const { body } = await invite(email);
    expectError(await writesNothing(app, () => invite(email)), {
      status: 409,
      code: 'conflict',
      paths: ['email'],
    });
    expect((await revoke(body.id)).status).toBe(204);
  });

  test('to one address are limited, whatever others request for it', async () => {
    const email = freshAddress();
    for (let n = 0; n < 3; n += 1) {
      expect((await app.post('/v1/auth/password-resets', { body: { email } })).status).toBe(202);
    }
    for (let n = 0; n < 2; n += 1) await revoke((await invite(email)).body.id);
    const refused = await writesNothing(app, () => invite(email));
    expectError(refused, { status: 429, code: 'rate_limited' });
  });

  test('that are refused do not count, since no message is sent', async () => {
    const email = freshAddress();
    const { body } = await invite(email);
    for (let n = 0; n < 3; n += 1) expect((await invite(email)).status).toBe(409);
    await revoke(body.id);
    expect((await invite(email)).status).toBe(201);
  });

  test('with a key count once, if the first request ends during the retry, also for the last message that is allowed', async () => {
    const email = freshAddress();
    for (let n = 0; n < 2; n += 1) {
      const key = randomUUID();
      let first: Awaited<ReturnType<typeof invite>> | undefined;
      lookups.afterNext(async () => {
        first = await invite(email, { key });
      });
      const second = await invite(email, { key });
      expect([second.status, second.text]).toEqual([201, first?.text]);
      await revoke(second.body.id);
    }
    expect((await invite(email)).status).toBe(429);
  });

  test('are paged', async () => {
    const ids = [(await invite(freshAddress())).body.id, (await invite(freshAddress())).body.id];
    const all: number[] = [];
    for (let query = '?limit=2'; ; ) {
      const { body } = await list(query);
      all.push(...body.data.map(({ id }) => id));
      if (body.next_cursor === null) break;
      query = `?limit=2&cursor=${body.next_cursor}`;
    }
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(all.slice(-2)).toEqual(ids);
  });

  /** Adds the person with an address, and removes them. */
  const removeAgain = async (email: string) => {
    const body = { ...ACCEPTANCE, email, role: 'viewer' };
    const added = await app.post<User>('/v1/orgs/acme/users', { as: 'ada', body });
    expect(added.status, added.text).toBe(201);
    expect((await app.delete(`/v1/orgs/acme/users/${added.body.id}`, { as: 'ada' })).status).toBe(204);
  };
  const readEmail = async (id: number) =>
    (await engine.place.query(`select email from invitations where id = ${id}`))[0]?.['email'];

  test('lose the address of a person who is removed, in every state', async () => {
    const expired = [freshAddress(), freshAddress()];
    const [first, second] = await Promise.all(expired.map((email) => invite(email)));
    app.clock.advance(7 * 86_400_000);
    app.signOutAll();
    const revoked = freshAddress();
    const third = await invite(revoked);
    await revoke(third.body.id);
    for (const email of [...expired, revoked]) await removeAgain(email);
    const accepted = await invite(freshAddress());
    const token = await linkToken(engine, { invitationId: accepted.body.id });
    const { id } = (await accept(token)).body as User;
    expect((await app.delete(`/v1/orgs/acme/users/${id}`, { as: 'ada' })).status).toBe(204);
    const all = (await list('?limit=100')).body.data;
    for (const [made, status] of [
      [first, 'expired'],
      [second, 'expired'],
      [third, 'revoked'],
      [accepted, 'accepted'],
    ] as const)
      expect(all.find((each) => each.id === made?.body.id)).toMatchObject({ email: '', status });
  });

  describe('cannot be accepted', () => {
    const withLink = async (email = freshAddress()) => {
      const { body } = await invite(email);
      return { id: body.id, email, token: await linkToken(engine, { invitationId: body.id }) };
    };

    test('after they were revoked, which can be repeated', async () => {
      const { id, token } = await withLink();
      expect((await revoke(id)).status).toBe(204);
      expect((await writesNothing(app, () => revoke(id))).status).toBe(204);
      expectError(await writesNothing(app, () => accept(token)), { status: 404, code: 'not_found' });
      expect(await statusOf(id)).toBe('revoked');
    });

    test('after they expired, and then the address can be invited again', async () => {
      const { id, token, email } = await withLink();
      app.clock.advance(7 * 86_400_000);
      app.signOutAll();
      expectError(await writesNothing(app, () => accept(token)), { status: 404, code: 'not_found' });
      expect(await statusOf(id)).toBe('expired');
      expect((await invite(email)).status).toBe(201);
      expect(await statusOf(id)).toBe('expired');
    });

    test('when their sender is no longer an administrator', async () => {
      for (const take of ['remove', 'demote'] as const) {
        const admin = await addMember(app, 'admin');
        const session = await signIn(app, admin);
        const { body } = await app.post<Invitation>('/v1/orgs/acme/invitations', {
          as: session,
          body: { email: freshAddress(), role: 'admin' },
        });
        const token = await linkToken(engine, { invitationId: body.id });
        const path = `/v1/orgs/acme/users/${admin.id}`;
        if (take === 'remove') await app.delete(path, { as: 'ada' });
        else await app.patch(path, { as: 'ada', body: { role: 'editor' } });
        expectError(await writesNothing(app, () => accept(token)), { status: 404, code: 'not_found' });
      }
    });

    test('by a person who was added otherwise and removed since', async () => {
      const { id, token, email } = await withLink();
      const elsewhere = await invite(email, { as: 'gil', org: 'globex' });
      await removeAgain(email);
      expectError(await writesNothing(app, () => accept(token)), { status: 404, code: 'not_found' });
      expect(await statusOf(id)).toBe('revoked');
      expect((await app.events()).filter(({ type }) => type === 'invitation.revoked').at(-1)).toMatchObject({
        actorId: 1,
        subjectId: id,
        data: { role: 'editor' },
      });
      expect(await readEmail(elsewhere.body.id)).toBe(email);
    });

    test('twice, also simultaneously', async () => {
      const { token } = await withLink();
      const responses = await Promise.all([1, 2, 3].map(() => accept(token)));
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      for (const status of statuses) expect([200, 404, 409]).toContain(status);
    });

    test('with a token of a password reset', async () => {
      const member = await addMember(app, 'viewer');
      const token = await linkToken(engine, { userId: member.id });
      expectError(await writesNothing(app, () => accept(token)), { status: 404, code: 'not_found' });
    });

    test.each([
      { given: 'a blank name', changes: { name: ' ' }, paths: ['name'] },
      { given: 'a short password', changes: { password: '7 chars' }, paths: ['password'] },
      { given: 'the name as the password', changes: { password: 'my nia roth' }, paths: ['password'] },
    ])('with $given', async ({ changes, paths }) => {
      const { token } = await withLink();
      const refused = await writesNothing(app, () => accept(token, { ...ACCEPTANCE, ...changes }));
      expectError(refused, { status: 422, code: 'validation_failed', paths });
      expect((await accept(token)).status).toBe(200);
    });
  });

  test("cannot grant a role above the caller's credentials", async () => {
    const narrowed = await app.signIn('ada', ['write:users', 'read:users', 'read:orders']);
    const attempt = () =>
      app.post('/v1/orgs/acme/invitations', { as: narrowed, body: { email: freshAddress(), role: 'admin' } });
    expectError(await writesNothing(app, attempt), { status: 403, code: 'insufficient_scope' });
  });
});
