/** Password resets by mail: who gets a link, what it permits, and that nothing reveals an account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMailServer, type SendMessage } from '../../src/mail/transport.ts';
import { linkToken } from '../access/shared/fixtures.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addMember, type Member, signIn } from '../support/fixtures/members.ts';
import { startMailServer, type TestMailServer, tokenIn } from '../support/mail-server.ts';

const NEXT = 'blue harbour lantern';

describeEachEngine('password resets', (engine) => {
  let server: TestMailServer;
  const send: SendMessage = async (message, signal) =>
    openMailServer({ url: server.url, from: 'no-reply@portico.test' })(message, signal);
  const app = startApp(engine, { sendMail: send, mail: { perAddress: 3 } });

  beforeAll(async () => {
    server = await startMailServer();
    app.outbox.start();
  });
  afterAll(() => server.close());

  const request = (email: unknown) => app.post('/v1/auth/password-resets', { body: { email } });
  const reset = (token: string, password = NEXT) =>
    app.request('PUT', `/v1/auth/password-resets/${token}`, { body: { password } });
  const mailTo = (email: string) => server.received.filter(({ to }) => to.includes(email));
  const signsIn = async ({ email }: Member, password: string) =>
    (await app.post('/v1/auth/login', { body: { email, password } })).status;

  /** Requests a reset. @returns the token from the mail. */
  async function mailedToken({ email }: Member): Promise<string> {
    const before = mailTo(email).length;
    await request(email);
    await expect.poll(() => mailTo(email).length).toBe(before + 1);
    return tokenIn(mailTo(email).at(-1)?.source ?? '');
  }

  test('a link sets a password once, and ends all sessions', async () => {
    const member = await addMember(app, 'viewer');
    const session = await signIn(app, member);
    const token = await mailedToken(member);

    expect((await reset(token)).status).toBe(204);

    expect(await signsIn(member, member.password)).toBe(401);
    expect(await signsIn(member, NEXT)).toBe(200);
    expect((await app.get('/v1/products', { as: session })).status).toBe(401);
    expect((await app.events()).at(-1)).toMatchObject({
      type: 'user.password_changed',
      actorId: member.id,
      subjectId: member.id,
      data: { means: 'reset_link' },
    });
    expectError(await reset(token, 'another harbour'), { status: 404, code: 'not_found' });
  });

  test('works the same through GraphQL', async () => {
    const member = await addMember(app, 'viewer');
    const document = 'mutation ($email: String!) { requestPasswordReset(email: $email) { email expiresIn } }';
    const requested = await app.graphql(document, { email: member.email.toUpperCase() });
    expect(requested.body.data).toEqual({
      requestPasswordReset: { email: member.email.toUpperCase(), expiresIn: 3600 },
    });
    await expect.poll(() => mailTo(member.email).length).toBe(1);
    const token = tokenIn(mailTo(member.email)[0]?.source ?? '');
    const set =
      'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
    expect((await app.graphql(set, { token, password: NEXT })).body.data).toEqual({ resetPassword: true });
    expect(codesOf(await app.graphql(set, { token, password: NEXT }))).toEqual(['not_found']);
    expect(await signsIn(member, NEXT)).toBe(200);
  });

  test('are for an account whose address was stored as it was entered, at that address', async () => {
    const member = await addMember(app, 'viewer');
    const [stored, entered] = [`ne\u0301e-${member.id}@people.test`, `NE\u0301E-${member.id}@people.test`];
    await engine.place.query(`update users set email = '${stored}' where id = ${member.id}`);
    await request(entered);
    await expect.poll(() => server.received.filter(({ to }) => to.includes(stored)).length).toBe(1);
  });

  test('unknown addresses get no mail', async () => {
    const member = await addMember(app, 'viewer');
    for (const email of ['unknown@nowhere.test', member.email]) await request(email);
    await expect.poll(() => mailTo(member.email).length).toBe(1);
    expect(mailTo('unknown@nowhere.test')).toEqual([]);
  });

  test('the member of an app gets no mail, and nothing is recorded about it', async () => {
    const body = { name: 'Ledger', type: 'service', scopes: ['read:orders'] };
    const { client_id } = (await app.post<{ client_id: string }>('/v1/apps', { as: 'ada', body })).body;
    const email = `${client_id}.acme@apps.invalid`;
    const member = await addMember(app, 'viewer');
    for (const address of [email, member.email]) await request(address);
    await expect.poll(() => mailTo(member.email).length).toBe(1);
    expect(mailTo(email)).toEqual([]);
    const about = `(select id from users where email = '${email}')`;
    expect(await engine.place.query(`select 1 from link_tokens where user_id = ${about}`)).toEqual([]);
    expect(
      await engine.place.query(`select 1 from audit_entries where subject_id = ${about}
      and type = 'user.password_reset_requested'`),
    ).toEqual([]);
  });

  test('messages to an address are limited, with the same response', async () => {
    const member = await addMember(app, 'viewer');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await request(member.email)).status);
    expect(statuses).toEqual(Array.from({ length: 6 }, () => 202));
    await expect.poll(() => mailTo(member.email).length).toBe(3);
    // Later messages have been sent by now.
    const later = await addMember(app, 'viewer');
    await mailedToken(later);
    expect(mailTo(member.email)).toHaveLength(3);
  });

  describe('a link', () => {
    test("sets only the password of its user, and invalidates the user's other links", async () => {
      const member = await addMember(app, 'viewer');
      const other = await addMember(app, 'viewer');
      const [first, second] = [await mailedToken(member), await mailedToken(member)];
      const theirs = await mailedToken(other);
      expect((await reset(second)).status).toBe(204);
      expectError(await reset(first), { status: 404, code: 'not_found' });
      expect(await signsIn(other, other.password)).toBe(200);
      expect((await reset(theirs)).status).toBe(204);
    });

    test('can be used once, also simultaneously', async () => {
      const member = await addMember(app, 'viewer');
      const token = await linkToken(engine, { userId: member.id });
      const responses = await Promise.all(
        ['one', 'two', 'three'].map((word) => reset(token, `${NEXT} ${word}`)),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
    });

    test('is invalid after a password change, and after its user is removed', async () => {
      const member = await addMember(app, 'viewer');
      const { token: as } = await signIn(app, member);
      const token = await linkToken(engine, { userId: member.id });
      const body = { current_password: member.password, new_password: NEXT };
      await app.request('PUT', `/v1/users/${member.id}/password`, { as: { token: as }, body });
      expectError(await reset(token), { status: 404, code: 'not_found' });
      const removed = await addMember(app, 'viewer');
      const theirs = await linkToken(engine, { userId: removed.id });
      await app.delete(`/v1/orgs/acme/users/${removed.id}`, { as: 'ada' });
      expectError(await writesNothing(app, () => reset(theirs)), { status: 404, code: 'not_found' });
    });

    test('of an invitation sets no password', async () => {
      const body = { email: 'a-link@acme.test', role: 'viewer' };
      const made = await app.post<{ id: number }>('/v1/orgs/acme/invitations', { as: 'ada', body });
      const token = await linkToken(engine, { invitationId: made.body.id });
      expectError(await writesNothing(app, () => reset(token)), { status: 404, code: 'not_found' });
    });

    test.each([
      'plt_',
      `plt_${'A'.repeat(43)}`,
      `PLT_${'A'.repeat(43)}`,
      `prt_${'A'.repeat(43)}`,
      'x'.repeat(90),
      encodeURIComponent("' or 1=1 --"),
    ])('is not %j', async (token) => {
      expectError(await writesNothing(app, () => reset(token)), { status: 404, code: 'not_found' });
    });

    test.each([
      { given: '7 characters', password: '7 chars' },
      { given: 'a common password', password: 'QwertyUIOP' },
      { given: 'the name as the password', password: 'the castell key' },
    ])('is refused with $given, and can be used again', async ({ password }) => {
      const member = await addMember(app, 'viewer');
      const token = await linkToken(engine, { userId: member.id });
      const refused = await writesNothing(app, () => reset(token, password));
      expectError(refused, { status: 422, code: 'validation_failed', paths: ['password'] });
      expect((await reset(token)).status).toBe(204);
    });

    test('expires after an hour', async () => {
      const member = await addMember(app, 'viewer');
      const token = await mailedToken(member);
      app.clock.advance(3_600_000);
      app.signOutAll();
      expectError(await reset(token), { status: 404, code: 'not_found' });
    });
  });

  test.each([
    ['not an address', ['email']],
    ['a@b@c.test', ['email']],
    ['ni\u0000a@acme.test', ['email']],
    [`${'a'.repeat(250)}@b.test`, ['email']],
    [7, ['email']],
  ])('%j is refused', async (email, paths) => {
    expectError(await writesNothing(app, () => request(email)), {
      status: 422,
      code: 'validation_failed',
      paths,
    });
  });

  test('no token is in the database, in events or in the server log', async () => {
    const member = await addMember(app, 'viewer');
    const token = await mailedToken(member);
    await reset(token);
    const tables = ['link_tokens', 'outbox', 'events', 'users', 'sessions'];
    const rows = await Promise.all(tables.map((table) => engine.place.query(`select * from ${table}`)));
    expect(JSON.stringify(rows) + app.log.join('\n')).not.toContain(token.slice(4));
  });
});

describeEachEngine('a message that waits for the mail server', (engine) => {
  const sent: string[] = [];
  const app = startApp(engine, { sendMail: async ({ to }) => void sent.push(to) });

  test('is not sent after a change of the password, which its link would undo', async () => {
    const [changed, other] = [await addMember(app, 'viewer'), await addMember(app, 'viewer')];
    for (const { email } of [changed, other]) await app.post('/v1/auth/password-resets', { body: { email } });
    app.clock.advance(1000);
    const as = await signIn(app, changed);
    const body = { current_password: changed.password, new_password: NEXT };
    expect((await app.request('PUT', `/v1/users/${changed.id}/password`, { as, body })).status).toBe(204);
    app.outbox.start();
    await expect.poll(() => engine.place.query('select id from outbox')).toEqual([]);
    expect(sent).toEqual([other.email]);
  });
});

describeEachEngine('a caller that requests many mails', (engine) => {
  const app = startApp(engine, { mail: { perCaller: 2 } });

  test('is limited across all addresses', async () => {
    const request = (n: number) =>
      app.post('/v1/auth/password-resets', { body: { email: `many-${n}@acme.test` } });
    expect([(await request(1)).status, (await request(2)).status]).toEqual([202, 202]);
    const refused = await request(3);
    expectError(refused, { status: 429, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    const requested = await app.graphql('mutation { requestPasswordReset(email: "a@b.test") { expiresIn } }');
    expect(codesOf(requested)).toEqual(['rate_limited']);
    // No mail is sent here, so that the requested messages stay in the table.
    expect(await engine.place.query('select email from outbox order by id')).toEqual([
      { email: 'many-1@acme.test' },
      { email: 'many-2@acme.test' },
    ]);
  });
});

describeEachEngine('a request for a password reset', (engine) => {
  // No mail is sent meanwhile, whose statements would be counted with those of a request.
  const app = startApp(engine);

  test('gets the same response for known and unknown addresses, with the same statements', async () => {
    const { email: known } = await addMember(app, 'viewer');
    const responses = [];
    for (const email of [known, 'unknown@nowhere.test']) {
      const { status, headers, text } = await app.post('/v1/auth/password-resets', { body: { email } });
      const others = [...headers.keys()].filter((name) => name !== 'x-request-id').toSorted();
      responses.push({ status, text: text.replace(email, ''), others, names: [...app.statements] });
    }
    expect(responses[0]).toMatchObject({ status: 202, names: ['outbox.insert'] });
    expect(responses[1]).toEqual(responses[0]);
  });
});
