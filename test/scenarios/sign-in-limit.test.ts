/**
 * The limit of wrong passwords: every guess counts, whatever the form of the request, and addresses from
 * untrusted proxies are ignored.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Answer, ErrorBody, GraphQLBody } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { addPerson } from '../support/fixtures/rows.ts';
import { SocketClient, subscribe } from '../support/raw-clients.ts';

const WRONG = 'wrong';
const MUTATION =
  'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';

type Headers = Readonly<Record<string, string>>;

const overRest = (app: TestApp, email: string, password: string, headers: Headers = {}) =>
  app.post<ErrorBody>('/v1/auth/login', { body: { email, password }, headers });

const overGraphQL = (app: TestApp, email: string, password: string, headers: Headers = {}) =>
  app.graphql(MUTATION, { email, password }, { headers });

const login = (email: string, password: string) =>
  `login(email: "${email}", password: "${password}") { accessToken }`;

const failuresIn = (response: Answer<GraphQLBody<unknown>>) =>
  (response.body.errors ?? []).map(({ extensions }) => extensions.code);

/** Audit entries of earlier requests are written after their responses. */
const isOfRequest = (statement: string) => !statement.startsWith('auditEntries.');

// The limit counts in memory, not in the database.
describeOnSqlite('a limit of 5 wrong passwords for an account', (engine) => {
  const app = startApp(engine);
  let email = '';
  let people = 0;

  beforeEach(async () => {
    people += 1;
    email = `somebody-${people}@acme.test`;
    await addPerson(engine, { email, role: 'viewer' });
  });

  /** The number of seconds in Retry-After. */
  function expectWait(seconds: number): void {
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
  }

  function expectLimited(response: Answer<unknown>): void {
    expectError(response, { status: 429, code: 'rate_limited' });
    expectWait(Number(response.headers.get('retry-after')));
  }

  /** Even the correct password is refused, through every door and in every spelling of the address. */
  async function expectLockedOut(): Promise<void> {
    expectLimited(await overRest(app, email, DEMO_PASSWORD));
    expectLimited(await overRest(app, ` ${email.toUpperCase()} `, DEMO_PASSWORD));
    const { body } = await overGraphQL(app, email, DEMO_PASSWORD);
    expect(body.data).toEqual({ login: null });
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'rate_limited', retryAfter: expect.any(Number) });
  }

  async function expectOthersAreFree(): Promise<void> {
    const response = await overRest(app, 'vic@acme.test', DEMO_PASSWORD);
    expect(response.status, response.text).toBe(200);
  }

  test('over REST, the sixth returns 429 with Retry-After, even with the correct password', async () => {
    for (let guess = 0; guess < 5; guess += 1) {
      expectError(await overRest(app, email, WRONG), { status: 401, code: 'invalid_credentials' });
    }
    expectLimited(await overRest(app, email, WRONG));
    await expectLockedOut();
    await expectOthersAreFree();
  });

  test('six simultaneous requests do not all pass', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => overRest(app, email, WRONG)));
    expect(responses.map((response) => response.status).sort()).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('an unknown address is limited in the same way', async () => {
    const unknown = `unknown-${people}@acme.test`;
    for (let guess = 0; guess < 5; guess += 1) {
      expectError(await overRest(app, unknown, WRONG), { status: 401, code: 'invalid_credentials' });
    }
    expectLimited(await overRest(app, unknown, WRONG));
  });

  test('both doors share the limit', async () => {
    for (let guess = 0; guess < 5; guess += 1) {
      if (guess % 2)
        expect(failuresIn(await overGraphQL(app, email, WRONG))).toEqual(['invalid_credentials']);
      else expectError(await overRest(app, email, WRONG), { status: 401, code: 'invalid_credentials' });
    }
    await expectLockedOut();
  });

  /** Documents with six guesses each; the last password is correct. */
  const guesses = (of: string) =>
    [...Array<string>(5).fill(WRONG), DEMO_PASSWORD].map((word) => login(of, word));
  const SIX_IN_ONE: readonly (readonly [name: string, document: (of: string) => string])[] = [
    [
      'aliases',
      (of) =>
        `mutation { ${guesses(of)
          .map((guess, n) => `a${n}: ${guess}`)
          .join(' ')} }`,
    ],
    [
      'fragments',
      (of) => {
        const names = guesses(of).map((_, n) => `F${n}`);
        const fragments = guesses(of).map((guess, n) => `fragment F${n} on Mutation { a${n}: ${guess} }`);
        return `mutation { ${names.map((name) => `...${name}`).join(' ')} } ${fragments.join(' ')}`;
      },
    ],
    [
      'inline fragments under a directive',
      (of) =>
        `mutation { ${guesses(of)
          .map((guess, n) => `... on Mutation @include(if: true) { a${n}: ${guess} }`)
          .join(' ')} }`,
    ],
  ];

  test.each(SIX_IN_ONE)(
    'six as %s in one document are refused unverified, and do not count',
    async (_name, document) => {
      const response = await app.graphql(document(email));
      expect(response.status).toBe(400);
      expect(failuresIn(response)).toEqual(['field_repeated']);
      expect(app.statements.filter(isOfRequest)).toEqual([]);
      for (let guess = 0; guess < 4; guess += 1) {
        expectError(await overRest(app, email, WRONG), { status: 401, code: 'invalid_credentials' });
      }
    },
  );

  test('one document with two operations does not bypass it either', async () => {
    const query = `mutation A { ${login(email, 'first')} } mutation B { ${login(email, 'second')} }`;
    const response = await app.post<GraphQLBody<unknown>>('/graphql', {
      body: { query, operationName: 'A' },
    });
    expect(response.status).toBe(400);
    expect(failuresIn(response)).toEqual(['field_repeated']);
    expect(app.statements.filter(isOfRequest)).toEqual([]);
  });

  test('a batch of operations is refused', async () => {
    const one = { query: MUTATION, variables: { email, password: WRONG } };
    const response = await app.post('/graphql', { body: Array(6).fill(one) });
    expect(response.status).toBe(400);
    expect(app.statements.filter(isOfRequest)).toEqual([]);
    expectError(await overRest(app, email, WRONG), { status: 401, code: 'invalid_credentials' });
  });

  test('a correct password of the owner resets the limit of an account under attack', async () => {
    for (let guess = 0; guess < 4; guess += 1) await overRest(app, email, WRONG);
    expect((await overRest(app, email, DEMO_PASSWORD)).status).toBe(200);
    for (let guess = 0; guess < 5; guess += 1) {
      expectError(await overRest(app, email, WRONG), { status: 401, code: 'invalid_credentials' });
    }
  });

  test('a forged address does not bypass the limit of an account', async () => {
    for (let guess = 0; guess < 5; guess += 1) {
      await overRest(app, email, WRONG, { 'x-forwarded-for': `198.51.100.${guess}` });
    }
    expectLimited(await overRest(app, email, WRONG, { 'x-forwarded-for': '198.51.100.99' }));
  });
});

/**
 * The number of guesses, each for another account, that are verified before the address is limited; at most
 * `tries`.
 */
async function guessesFrom(
  app: TestApp,
  tries: number,
  headersOf: (guess: number) => Headers,
): Promise<number> {
  for (let guess = 0; guess < tries; guess += 1) {
    const { status } = await overRest(app, `guess-${guess}@acme.test`, WRONG, headersOf(guess));
    if (status === 429) return guess;
    expect(status).toBe(401);
  }
  return tries;
}

const PER_ADDRESS = 3;
const TRIES = 8;
/** A header with another client address for each guess, followed by the addresses that each proxy saw. */
const OTHER_EACH_TIME =
  (header: string, tail = '') =>
  (guess: number) => ({
    [header]: `198.51.100.${guess}${tail}`,
  });

// The address is derived from HTTP alone.
describeOnSqlite('a limit of 3 wrong passwords from an address', (engine) => {
  describe.each([
    { proxy: 'no proxy', trustProxy: 0 },
    { proxy: 'proxies elsewhere', trustProxy: '10.0.0.0/8, 2001:db8::/32' },
  ])('that trusts $proxy', ({ trustProxy }) => {
    const signIns = { perAccount: 100, fromUnknown: 100, perAddress: PER_ADDRESS };

    const app = startApp(engine, { http: { trustProxy }, signIns });

    test('forged headers do not help an attacker', async () => {
      expect(await guessesFrom(app, TRIES, OTHER_EACH_TIME('x-forwarded-for'))).toBe(PER_ADDRESS);
    });

    test.each([
      'X-Forwarded-For',
      'x-real-ip',
      'x-client-ip',
      'forwarded',
      'cf-connecting-ip',
      'true-client-ip',
    ])('nor does %s bypass the limit', async (header) => {
      const claim =
        header === 'forwarded'
          ? (guess: number) => ({ forwarded: `for=203.0.113.${guess}` })
          : OTHER_EACH_TIME(header);
      expect(await guessesFrom(app, TRIES, claim)).toBe(0);
    });
  });

  describe.each([
    { proxy: 'the proxy at 127.0.0.1', trustProxy: '127.0.0.1' },
    { proxy: 'one proxy', trustProxy: 1 },
  ])('that trusts $proxy', ({ trustProxy }) => {
    const settings = {
      http: { trustProxy },
      signIns: { perAccount: 100, fromUnknown: 100, perAddress: PER_ADDRESS },
    };

    describe('its clients', () => {
      const app = startApp(engine, settings);

      test('are distinguished by their real address', async () => {
        expect(await guessesFrom(app, TRIES, OTHER_EACH_TIME('x-forwarded-for'))).toBe(TRIES);
      });

      test('are limited separately', async () => {
        expect(await guessesFrom(app, TRIES, () => ({ 'x-forwarded-for': '203.0.113.7' }))).toBe(PER_ADDRESS);
        expect(await guessesFrom(app, 1, () => ({ 'x-forwarded-for': '203.0.113.8' }))).toBe(1);
      });

      test.each([
        ['an IPv4 address', (port: number) => `203.0.113.20:${port}`],
        ['an IPv6 address', (port: number) => `[2001:db8::20]:${port}`],
        ['an IPv6 address with a zone', (port: number) => `[fe80::20%eth0.100]:${port}`],
        ['an address after a forged one', (port: number) => `198.51.100.${port}:1, 203.0.113.21:${port}`],
      ])('are limited by network if the proxy adds the port to %s', async (_title, claim) => {
        const headersOf = (port: number) => ({ 'x-forwarded-for': claim(port) });
        expect(await guessesFrom(app, TRIES, headersOf)).toBe(PER_ADDRESS);
        const socket = new SocketClient(app.port, undefined, headersOf(TRIES));
        await socket.open();
        socket.send(subscribe('1', `mutation { ${login('ed@acme.test', WRONG)} }`));
        expect(JSON.stringify(await socket.got(({ id }) => id === '1'))).toContain('rate_limited');
        socket.socket.close();
      });
    });

    describe('a client that claims to be a proxy', () => {
      const app = startApp(engine, settings);

      test('is limited by the address that the proxy saw', async () => {
        const claim = OTHER_EACH_TIME('x-forwarded-for', ', 203.0.113.9');
        expect(await guessesFrom(app, TRIES, claim)).toBe(PER_ADDRESS);
      });
    });

    describe('the log', () => {
      const app = startApp(engine, settings);

      test('has the address that the limit used', async () => {
        await overRest(app, 'unknown@acme.test', WRONG, { 'x-forwarded-for': '192.0.2.1, 203.0.113.10:4' });
        await expect.poll(() => app.log.join('')).toContain('"address":"203.0.113.10"');
        expect(app.log.join('')).not.toContain('192.0.2.1');
      });
    });
  });
});

describeEachEngine('an account under attack', (engine) => {
  const app = startApp(engine, {
    http: { trustProxy: '127.0.0.1' },
    signIns: { perAccount: 5, fromUnknown: 8, perAddress: 300 },
  });
  const VIC = 'vic@acme.test';
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const HOME = from('198.51.100.1');

  const attempt = (password: string, headers: Headers, device_token?: string) =>
    app.post<ErrorBody & { readonly device_token: string }>('/v1/auth/login', {
      body: { email: VIC, password, ...(device_token !== undefined && { device_token }) },
      headers,
    });

  test('lets its owner sign in from another address, from a known one and on a known device', async () => {
    const first = await attempt(DEMO_PASSWORD, HOME);
    expect(first.status).toBe(200);
    const device = first.body.device_token;

    const attacker = from('203.0.113.1');
    for (let guess = 0; guess < 5; guess += 1) expect((await attempt(WRONG, attacker)).status).toBe(401);
    expect((await attempt(DEMO_PASSWORD, attacker)).status).toBe(429);
    // An attacker at one address blocks only that address.
    expect((await attempt(WRONG, from('203.0.113.2'))).status).toBe(401);
    expect((await attempt(DEMO_PASSWORD, from('198.51.100.2'))).status).toBe(200);

    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => attempt(WRONG, from(`203.0.113.${10 + n}`))),
    );
    // Eight in all.
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(2);
    const stranger = await attempt(DEMO_PASSWORD, from('198.51.100.3'));
    expectError(stranger, { status: 429, code: 'rate_limited' });
    expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThan(0);

    expect((await attempt(DEMO_PASSWORD, HOME)).status).toBe(200);
    expect((await attempt(DEMO_PASSWORD, attacker, device)).status).toBe(200);
    const graph = await app.graphql<{ login: { deviceToken: string } }>(
      'mutation ($email: String!, $password: String!, $device: String) { login(email: $email, password: $password, deviceToken: $device) { deviceToken } }',
      { email: VIC, password: DEMO_PASSWORD, device },
      { headers: from('198.51.100.3') },
    );
    expect(graph.body.data?.login.deviceToken).toMatch(/^pdt_/);
    // The device has its own limit, and does not work for another account or when it was modified.
    for (let guess = 0; guess < 5; guess += 1)
      expect((await attempt(WRONG, from('198.51.100.4'), device)).status).toBe(401);
    expect((await attempt(DEMO_PASSWORD, from('198.51.100.4'), device)).status).toBe(429);
    expect((await attempt(DEMO_PASSWORD, from('198.51.100.4'), `${device}x`)).status).toBe(429);
  });
});

/**
 * The number of connections: with more, some requests would time out waiting for a PostgreSQL connection on a
 * busy machine.
 */
const CONNECTIONS = { sqlite: 400, postgres: 100 };

describeEachEngine('1,500 concurrent sign-ins for one account', (engine) => {
  const app = startApp(engine, { http: { trustProxy: '127.0.0.1' } });
  const BODY = JSON.stringify({ email: 'ed@acme.test', password: DEMO_PASSWORD });

  /** Uses Node's own client, which limits its connections: the system resets those that exceed its queue. */
  async function signIn(
    agent: Agent,
  ): Promise<{ status: number | undefined; retryAfter: string | undefined }> {
    const headers = {
      'content-type': 'application/json',
      'content-length': BODY.length,
      'x-forwarded-for': '203.0.113.1',
    };
    const sent = request(`${app.url}/v1/auth/login`, { method: 'POST', agent, headers });
    sent.end(BODY);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return { status: response.statusCode, retryAfter: response.headers['retry-after'] };
  }

  test('get a response or Retry-After, and others sign in and read meanwhile', async () => {
    await app.signIn('gil');
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS[engine.name] });
    const flood = Promise.all(Array.from({ length: 1500 }, () => signIn(agent)));
    const [neighbour, order, responses] = await Promise.all([
      overRest(app, 'vic@acme.test', DEMO_PASSWORD, { 'x-forwarded-for': '198.51.100.1' }),
      app.get('/v1/orders/61', { as: 'gil' }),
      flood.finally(() => agent.destroy()),
    ]);
    expect(neighbour.status, neighbour.text).toBe(200);
    expect(order.status, order.text).toBe(200);
    const statuses = Map.groupBy(responses, ({ status }) => status);
    expect([...statuses.keys()].sort()).toEqual([200, 429]);
    for (const { retryAfter } of statuses.get(429) ?? []) expect(retryAfter).toBe('1');
    expect(statuses.get(200)?.length).toBeGreaterThanOrEqual(LIMITS.waitingSignIns);
  });
});
