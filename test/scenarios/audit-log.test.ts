/** Entries of the audit log: the caller, the credentials and the address of each write, through both doors. */
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { GRAPH, GRAPH_CALLS } from '../access/shared/rules.ts';
import { rootFields } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf, PEOPLE } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey, withKey } from '../support/fixtures/api-keys.ts';
import { addMember, signIn } from '../support/fixtures/members.ts';
import { Browser } from '../support/oauth.ts';
import type { AuditEntry, CursorPage } from '../support/response-bodies.ts';

const HERE = '127.0.0.1';
/** Documentation addresses (RFC 5737), as reported by a trusted proxy. */
const from = (last: number) => ({ 'x-forwarded-for': `203.0.113.${last}` });

describeEachEngine('the audit log', (engine) => {
  const app = startApp(engine, {
    realTime: true,
    http: { trustProxy: 1 },
    signIns: { perAccount: 1000, fromUnknown: 1000 },
  });
  const list = async (query: string) =>
    (await app.get<CursorPage<AuditEntry>>(`/v1/audit-log?${query}`, { as: 'ada' })).body.data;
  const newest = async (query = 'limit=1') => (await list(query))[0];

  const sessionOf = async (person: 'ada' | 'ed'): Promise<number> => {
    const { token } = await app.signIn(person);
    return Number(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid);
  };

  describe('shows the credentials of a write', () => {
    const PRODUCT = { name: 'Lamp', unit_price: 12.5, currency: 'USD' };
    const CREATE =
      'mutation { createProduct(input: { name: "Lamp", unitPrice: 12.5, currency: "USD" }) { id } }';

    /** Returns the entry of a product that this call creates. */
    const created = async () => {
      const entry = await newest('limit=1&type=product.created');
      expect(entry).toMatchObject({ subject_type: 'product', data: { name: 'Lamp' }, occurrences: 1 });
      return entry;
    };

    test('of a session, through REST', async () => {
      const id = await sessionOf('ed');
      const { status, body } = await app.post<{ id: number }>('/v1/products', {
        as: 'ed',
        body: PRODUCT,
        headers: from(7),
      });
      expect(status).toBe(201);
      expect(await created()).toMatchObject({
        actor_id: 2,
        subject_id: body.id,
        credentials: { kind: 'session', id },
        address: '203.0.113.7',
      });
    });

    test('of a session, through GraphQL', async () => {
      const id = await sessionOf('ed');
      expect(codesOf(await app.graphql(CREATE, {}, { as: 'ed' }))).toEqual([]);
      expect(await created()).toMatchObject({
        actor_id: 2,
        credentials: { kind: 'session', id },
        address: HERE,
      });
    });

    test('of an API key', async () => {
      const key = await createKey(app, { scopes: ['write:products'] }, 'ada');
      for (const write of [
        () => app.post('/v1/products', { ...withKey(key.key), body: PRODUCT }),
        () => app.graphql(CREATE, {}, withKey(key.key)),
      ]) {
        const before = await created();
        await write();
        const after = await created();
        expect(after?.subject_id).toBeGreaterThan(before?.subject_id ?? 0);
        expect(after).toMatchObject({
          actor_id: 1,
          credentials: { kind: 'api_key', id: key.id },
          address: HERE,
        });
      }
      expect(await newest('type=api_key.created&limit=1')).toMatchObject({
        actor_id: 1,
        subject_id: key.id,
        credentials: { kind: 'session', id: await sessionOf('ada') },
        address: HERE,
      });
    });

    test('of an app, and the users who granted its access', async () => {
      const body = { name: 'Importer', type: 'service', scopes: ['write:products'] };
      const made = await app.post<{ id: number; client_id: string; client_secret: string }>('/v1/apps', {
        as: 'ada',
        body,
      });
      const { id: appId, client_id, client_secret } = made.body;
      const form = { grant_type: 'client_credentials', client_id, client_secret };
      const response = await fetch(`${app.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      const { access_token: token } = Object(await response.json());
      const grant = await newest('type=grant.created&limit=1');
      expect(grant).toMatchObject({ data: { client_id }, address: HERE, credentials: null });
      await app.post('/v1/products', { as: { token }, body: PRODUCT, headers: from(8) });
      expect(await created()).toMatchObject({
        actor_id: grant?.actor_id,
        credentials: { kind: 'app', id: grant?.subject_id },
        address: '203.0.113.8',
      });

      const credentials = { kind: 'session', id: await sessionOf('ada') };
      const about = { actor_id: 1, subject_id: appId, data: { name: 'Importer', client_id }, credentials };
      await app.patch(`/v1/apps/${appId}`, { as: 'ada', body: { homepage_url: 'https://importer.example' } });
      expect(await newest()).toMatchObject({ type: 'app.updated', event_id: null, ...about });
      await app.post(`/v1/apps/${appId}/secrets`, { as: 'ada' });
      expect(await newest()).toMatchObject({ type: 'app.secret_created', ...about });
      await app.delete(`/v1/apps/${appId}`, { as: 'ada' });
      expect((await list('limit=2')).map(({ type }) => type).toSorted()).toEqual([
        'app.deleted',
        'app.uninstalled',
      ]);
      expect(await newest('type=app.deleted')).toMatchObject(about);
    });

    test('of a charge, also for the outcome that is stored after the gateway responds', async () => {
      const { body } = await app.post<{ id: number }>('/v2/charges', {
        as: 'ed',
        headers: { 'idempotency-key': 'audited', ...from(9) },
        body: { amount: { value: 10, currency: 'USD' }, source: 'tok_visa' },
      });
      expect(await newest()).toMatchObject({
        type: 'charge.succeeded',
        actor_id: 2,
        subject_id: body.id,
        credentials: { kind: 'session', id: await sessionOf('ed') },
        address: '203.0.113.9',
      });
    });

    test('of a changed role, key and password', async () => {
      const member = await addMember(app, 'editor');
      const credentials = { kind: 'session', id: await sessionOf('ada') };
      expect(await newest()).toMatchObject({ type: 'user.added', actor_id: 1, credentials, address: HERE });
      await app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } });
      expect(await newest()).toMatchObject({ type: 'user.role_changed', actor_id: 1, credentials });
      const key = await createKey(app);
      await app.delete(`/v1/api-keys/${key.id}`, { as: 'ada' });
      expect(await newest()).toMatchObject({ type: 'api_key.revoked', actor_id: 1, credentials });
      const session = await signIn(app, member);
      await app.put(`/v1/users/${member.id}/password`, {
        as: session,
        body: { current_password: member.password, new_password: 'blue harbour lantern' },
      });
      expect(await newest()).toMatchObject({
        type: 'user.password_changed',
        actor_id: member.id,
        subject_id: member.id,
        credentials: { kind: 'session' },
        data: { means: 'current_password' },
      });
    });
  });

  describe('shows sign-ins', () => {
    const login = (email: string, password: string, headers = {}) =>
      app.post<{ refresh_token: string }>('/v1/auth/login', { body: { email, password }, headers });

    test('that succeed, and signing out', async () => {
      const { body } = await login(PEOPLE.vic, DEMO_PASSWORD, from(20));
      const entry = await newest();
      expect(entry).toEqual({
        id: expect.any(Number),
        type: 'user.signed_in',
        event_id: null,
        actor_id: 3,
        credentials: { kind: 'session', id: expect.any(Number) },
        address: '203.0.113.20',
        subject_type: 'user',
        subject_id: 3,
        data: { session_id: entry?.credentials?.id },
        occurrences: 1,
        created_at: expect.any(String),
      });
      for (const status of [204, 204]) {
        const { refresh_token } = body;
        const response = await app.post('/v1/auth/logout', { body: { refresh_token }, headers: from(21) });
        expect(response.status).toBe(status);
      }
      expect(await list('limit=2')).toMatchObject([
        {
          type: 'user.signed_out',
          actor_id: 3,
          credentials: entry?.credentials,
          address: '203.0.113.21',
          data: entry?.data,
        },
        { id: entry?.id },
      ]);
    });

    test('at the authorization server, where a browser gets a cookie and the user consents', async () => {
      const redirect = 'https://app.example/callback';
      const { body } = await app.post<{ client_id: string }>('/v1/apps', {
        as: 'ada',
        body: { name: 'Native', type: 'native', scopes: ['read:orders'], redirect_uris: [redirect] },
      });
      const query = new URLSearchParams({
        client_id: body.client_id,
        redirect_uri: redirect,
        response_type: 'code',
        scope: 'read:orders',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      });
      await new Browser(app).consent(`/oauth/authorize?${query}`, 'ed');
      const credentials = { kind: 'browser', id: null };
      expect(await list('limit=2')).toMatchObject([
        { type: 'grant.created', actor_id: 2, credentials, address: HERE },
        {
          type: 'user.signed_in',
          actor_id: 2,
          credentials,
          address: HERE,
          data: { session_id: expect.any(Number) },
        },
      ]);
    });

    const failures = async (id: number) => {
      await app.services.sessions.settled();
      return (await list('type=user.sign_in_failed&limit=100')).filter(({ subject_id }) => subject_id === id);
    };

    test('that fail, as one entry per address and hour, without the password', async () => {
      const member = await addMember(app, 'viewer');
      for (let attempt = 0; attempt < 3; attempt += 1) {
        expect((await login(member.email, `hunter2-${attempt}`, from(30))).status).toBe(401);
      }
      await login(member.email.toUpperCase(), 'hunter2', from(31));
      const entries = await failures(member.id);
      expect(entries.map(({ address, occurrences }) => [address, occurrences]).toSorted()).toEqual([
        ['203.0.113.30', 3],
        ['203.0.113.31', 1],
      ]);
      for (const entry of entries) {
        expect(entry).toMatchObject({
          actor_id: null,
          credentials: null,
          subject_type: 'user',
          data: { at: 'sign_in' },
          event_id: null,
        });
      }
      const stored = await engine.place.query('select * from audit_entries');
      expect(JSON.stringify(stored)).not.toContain('hunter2');
    });

    test('but not failures for an address without an account, nor that address', async () => {
      const before = await engine.place.query('select count(*) as n from audit_entries');
      await login('stranger@elsewhere.test', 'hunter2');
      await app.services.sessions.settled();
      expect(await engine.place.query('select count(*) as n from audit_entries')).toEqual(before);
      const stored = await engine.place.query('select * from audit_entries');
      expect(JSON.stringify(stored)).not.toContain('elsewhere.test');
    });

    test('that fail from many addresses, without filling the table', async () => {
      const member = await addMember(app, 'viewer');
      const guesses = Array.from({ length: 30 }, (_, index) => from(100 + index));
      for (const headers of guesses) await login(member.email, 'hunter2', headers);
      const entries = await failures(member.id);
      expect(entries).toHaveLength(LIMITS.auditLikenesses);
      expect(entries.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(guesses.length);
      expect(entries.filter(({ address }) => address === null)).toMatchObject([
        { occurrences: guesses.length - LIMITS.auditLikenesses + 1 },
      ]);
    });

    test('and wrong passwords when changing a password', async () => {
      const member = await addMember(app, 'viewer');
      await app.put(`/v1/users/${member.id}/password`, {
        as: await signIn(app, member),
        body: { current_password: 'hunter2', new_password: 'blue harbour lantern' },
      });
      expect(await failures(member.id)).toMatchObject([{ data: { at: 'password_change' }, occurrences: 1 }]);
    });
  });

  test('truncates a forwarded address to the maximum length of an IP address', async () => {
    const headers = { 'x-forwarded-for': 'x'.repeat(5000) };
    await app.post('/v1/auth/login', { body: { email: PEOPLE.vic, password: DEMO_PASSWORD }, headers });
    expect((await newest())?.address?.length ?? 0).toBeLessThanOrEqual(LIMITS.clientAddressLength);
  });

  test('goes back as far as the event log', async () => {
    const [before] = await engine.place.query('select count(*) as n from audit_entries');
    expect(Number(before?.['n'])).toBeGreaterThan(0);
    app.clock.advance(100 * 86_400_000);
    await app.janitor.sweep();
    expect(await engine.place.query('select id from audit_entries')).toEqual([]);
  });
});

/** Mutations whose request in `test/access/` leaves no entry, and why. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'Mutation.markFeedRead': 'It changes only what the caller sees as unread.',
  'Mutation.refreshSession': 'It continues a session, whose beginning and end have entries.',
  'Mutation.requestPasswordReset': 'The address has no account.',
};

/** Mutations that only messages of the payment provider can cause. The entry is that of the charge. */
const OF_MESSAGES = new Set(['Mutation.recordPaymentEvent', 'Mutation.recordStripeEvent']);

const mutations = rootFields.filter(
  ({ operation, name }) => operation === 'mutation' && !OF_MESSAGES.has(name),
);

describeEachEngine('the audit log has entries of', (engine) => {
  const app = startApp(engine, { signIns: { perAccount: 1000, fromUnknown: 1000 } });
  const fixtures = createFixtures(app, engine);
  beforeAll(() => Promise.all([app.signIn('ada'), app.signIn('ed')]));

  async function entries(): Promise<number> {
    const [row] = await engine.place.query(
      'select (select count(*) from events) + (select coalesce(sum(occurrences), 0) from audit_entries) as entries',
    );
    return Number(row?.['entries']);
  }

  test.each(mutations.map(({ name }) => name))('%s', async (name) => {
    const call = await GRAPH_CALLS[name]?.(fixtures);
    if (!call) throw new Error(`There is no request for ${name} in test/access/.`);
    const as = GRAPH[name]?.['admin'] === 'ok' ? 'ada' : 'ed';
    const before = await entries();
    const response = await app.graphql(call.document, { ...call.variables }, { as });
    expect(codesOf(response)).toEqual([]);
    expect((await entries()) > before, response.text).toBe(!(name in WITHOUT_ENTRY));
  });
});
