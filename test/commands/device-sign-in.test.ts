/** `portico listen --client-id`: the device flow (RFC 8628), against a scripted server and with real processes. */
import { createServer, request as forwardTo, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { signInByDevice } from '../../src/cli/device-sign-in.ts';
import { signIn } from '../faults/client.ts';
import { Browser } from '../support/oauth.ts';
import { freePort, manageServers, waitUntil } from '../support/process.ts';

const proxies: Server[] = [];
const servers = manageServers();
afterEach(() => {
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections();
    proxy.close();
  }
});

const listen = (proxy: Server, port: number) =>
  new Promise<void>((resolve) => {
    proxies.push(proxy);
    proxy.listen(port, '127.0.0.1', resolve);
  });

type Answer = readonly [status: number, body: object] | 'cut';

const PENDING: Answer = [400, { error: 'authorization_pending' }];
const SLOW_DOWN: Answer = [400, { error: 'slow_down' }];
const TOKENS: Answer = [200, { access_token: 'one', refresh_token: 'next', expires_in: 900 }];

describe('a client of the device flow', () => {
  /** A server with scripted responses to polls. @returns the pauses of the client before each. */
  async function signInTo(polls: readonly Answer[], device: object = {}) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const forms: URLSearchParams[] = [];
    const script = [...polls];
    const authorization = {
      device_code: 'device',
      user_code: 'BCDF-GHJK',
      verification_uri: `${url}/device`,
      expires_in: 600,
      ...device,
    };
    await listen(
      createServer(async (request, response) => {
        const answer = (status: number, body: object) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        if (request.method === 'GET')
          return answer(200, {
            token_endpoint: `${url}/token`,
            device_authorization_endpoint: `${url}/code`,
          });
        forms.push(new URLSearchParams(await text(request)));
        if (request.url === '/code') return answer(200, authorization);
        const next = script.shift() ?? ([400, { error: 'invalid_grant' }] as const);
        return next === 'cut' ? request.socket.destroy() : answer(...next);
      }),
      port,
    );
    let time = Date.UTC(2026, 10, 1);
    const pauses: number[] = [];
    const sleep = async (milliseconds: number) => {
      pauses.push(milliseconds / 1000);
      time += milliseconds;
    };
    const clock = () => new Date(time);
    const shown: unknown[] = [];
    const show = (prompt: unknown) => void shown.push(prompt);
    const options = { serverUrl: url, clientId: 'app_1', scopes: ['read:feed'], clock, sleep, show };
    const result = await signInByDevice(options).catch((error: Error) => error.message);
    return { result, pauses, forms, shown, pass: (seconds: number) => sleep(seconds * 1000) };
  }

  test.each<[string, readonly Answer[], object, readonly number[], string?]>([
    ['waits five seconds if the server returns no interval', [PENDING, TOKENS], {}, [5, 5]],
    ["waits as long as the server's interval", [PENDING, PENDING, TOKENS], { interval: 2 }, [2, 2, 2]],
    [
      'waits five seconds longer after each slow_down',
      [SLOW_DOWN, PENDING, SLOW_DOWN, TOKENS],
      { interval: 1 },
      [1, 6, 6, 11],
    ],
    ['waits twice as long after a broken connection', ['cut', 'cut', TOKENS], { interval: 3 }, [3, 6, 12]],
    ['waits twice as long while the server is unavailable', [[503, {}], TOKENS], { interval: 3 }, [3, 6]],
    ['ends when access is denied', [PENDING, [400, { error: 'access_denied' }]], {}, [5, 5], 'has denied'],
    ['ends when the code has expired', [[400, { error: 'expired_token' }]], {}, [5], 'has expired'],
    [
      'ends without a response when the code has expired',
      [PENDING, PENDING, PENDING],
      { expires_in: 9 },
      [5, 5],
      'has expired',
    ],
    ['reports any other error', [[400, { error: 'x', error_description: 'too blue' }]], {}, [5], 'too blue'],
  ])('%s', async (_title, polls, device, pauses, refusal) => {
    const { result, ...seen } = await signInTo(polls, device);
    expect(seen.pauses).toEqual(pauses);
    if (refusal === undefined) expect(result).toBeTypeOf('function');
    else expect(result).toContain(refusal);
    expect(seen.shown).toMatchObject([
      { user_code: 'BCDF-GHJK', verification_uri: expect.stringContaining('/device') },
    ]);
    expect(Object.fromEntries(seen.forms[0] ?? [])).toEqual({ client_id: 'app_1', scope: 'read:feed' });
  });

  test('refreshes a token shortly before it expires, and again if the response was lost', async () => {
    const second: Answer = [200, { access_token: 'two', refresh_token: 'after', expires_in: 900 }];
    const { result: token, forms, pass } = await signInTo([TOKENS, 'cut', second]);
    if (typeof token === 'string') throw new Error(token);
    expect(await token()).toBe('one');
    await pass(869);
    expect(await token()).toBe('one');
    await pass(2);
    await expect(token()).rejects.toThrow();
    expect(await token()).toBe('two');
    await pass(900);
    await expect(token()).rejects.toThrow('The sign-in has ended');
    const sent = forms.filter((form) => form.get('grant_type') === 'refresh_token');
    expect(sent.map((form) => form.get('refresh_token'))).toEqual(['next', 'next', 'after']);
  });
});

/** A proxy that shortens the lifetime of tokens to a second more than the client's margin for renewals. */
async function startProxy(port: number, target: () => number, grants: string[]): Promise<Server> {
  const pass = (request: IncomingMessage, body: string, port: number) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { method, url, headers } = request;
      const outgoing = forwardTo({ port, host: '127.0.0.1', method, path: url, headers }, resolve);
      outgoing.on('error', reject).end(body);
    });
  const proxy = createServer(async (request, response) => {
    try {
      const body = await text(request);
      const answer = await pass(request, body, target());
      const { 'content-length': _, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 0, headers);
      if (request.url !== '/oauth/token') return void answer.pipe(response);
      grants.push(new URLSearchParams(body).get('grant_type') ?? '');
      response.end((await text(answer)).replace(/"expires_in":\d+/, '"expires_in":31'));
    } catch {
      response.destroy();
    }
  });
  await listen(proxy, port);
  return proxy;
}

test('a user signs in with a browser, and events arrive, also after a refresh', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await servers.start({ env: { PUBLIC_URL: url } });
  const grants: string[] = [];
  const proxy = await startProxy(port, () => server.port, grants);
  const admin = { authorization: `Bearer ${await signIn(server.url)}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: admin,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return response.json() as Promise<{ client_id: string; id: number }>;
  };
  const scopes = ['read:feed', 'read:orders'];
  const { client_id: clientId } = await post('/v1/apps', {
    name: 'Laptop',
    type: 'native',
    redirect_uris: [],
    scopes,
  });

  const listener = await servers.launch({
    program: ['bin/portico.js', 'listen', '--server', url, '--client-id', clientId, '--types', 'order.*'],
    // An option takes precedence over the environment.
    env: { PORTICO_KEY: 'pk_1_left-from-another-server' },
  });
  await waitUntil(() => listener.stderr.includes('enter the code'), 'the code');
  const [, address = '', code = ''] = /go to (\S+) and enter the code (\S+),/.exec(listener.stderr) ?? [];
  expect(address).toBe(`${url}/device`);
  const browser = new Browser({ url }, url);
  const form = await browser.visit(address);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
  await browser.visit(address, new URLSearchParams({ xsrf, user_code: code }));
  const asked = await browser.visit(address, new URLSearchParams({ xsrf, user_code: code, confirm: 'yes' }));
  expect((await browser.allow(await browser.signIn(asked, 'vic'))).text).toContain('Connected');
  await waitUntil(() => listener.stderr.includes('Signed in.'), 'the sign-in');

  const order = async () => (await post('/v1/users/1/orders', { items: [{ product_id: 1, qty: 1 }] })).id;
  /** Places orders until an event arrives. */
  const follow = async (what: string) => {
    const placed: number[] = [];
    await waitUntil(
      async () => {
        placed.push(await order());
        return placed.some((id) => listener.stdout.includes(`"subject":{"type":"order","id":${id}}`));
      },
      what,
      30_000,
      300,
    );
  };
  await follow('an event');
  const before = listener.stdout.split('\n').length;
  proxy.closeAllConnections();
  await follow('an event after the refresh');
  expect(listener.stdout.split('\n').length).toBeGreaterThan(before);
  expect(grants.at(-1)).toBe('refresh_token');
  expect(listener.stdout + listener.stderr).not.toMatch(/prt_|eyJ/);
  await listener.end('SIGTERM');
});
