/** Responses to hostile and broken clients, byte for byte, while another client keeps reading. */
import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { PROVIDED } from '../../src/http/oauth/routes.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { exchange } from '../support/raw-clients.ts';
import { threadTime } from '../support/timing.ts';

/** Milliseconds. Only for the servers whose clients are slow: a busy machine would be as well. */
const TIMEOUTS = { headers: 300, request: 600 };
const SILENCE = { silence: 1000 };

/**
 * The longest that any of these may take, in milliseconds, also on a busy machine; less than it would take
 * without these limits.
 */
const PATIENCE = 9_000;

/**
 * The limits for one response to another client, in measures that do not depend on the load of the machine:
 * milliseconds of processor time, for attacks that keep the process busy, and turns of a timer with this
 * interval in milliseconds, for attacks that make others wait.
 */
const TICK = 10;
const MOST_WORK = 500;
const MOST_TICKS = 50;

const HOST = ['Host: portico.test', 'Connection: close'];
const UPGRADE = ['Host: portico.test', 'Connection: Upgrade', 'Upgrade: websocket'];
const post = (path: string, headers: readonly string[], body: string) => ({
  lines: [`POST ${path} HTTP/1.1`, ...HOST, ...headers, `Content-Length: ${Buffer.byteLength(body)}`],
  body,
});

const LOGIN = JSON.stringify({ email: 'ada@acme.test', password: 'nonsense' });
const QUERY = JSON.stringify({ query: '{ __typename }' });
const JSON_TYPE = 'Content-Type: application/json';

interface Case {
  readonly given: string;
  readonly lines: readonly string[];
  readonly body?: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly header?: readonly [name: string, value: string];
}

const CASES: readonly Case[] = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].flatMap(
    (type) => [
      {
        given: `REST as ${type}`,
        ...post('/v1/auth/login', [`Content-Type: ${type}`], LOGIN),
        status: 415,
        code: 'unsupported_media_type',
      },
      {
        given: `GraphQL as ${type}`,
        ...post('/graphql', [`Content-Type: ${type}`], QUERY),
        status: 415,
        code: 'unsupported_media_type',
      },
    ],
  ),
  {
    given: 'no content type',
    ...post('/v1/auth/login', [], LOGIN),
    status: 415,
    code: 'unsupported_media_type',
  },
  ...['utf-7', 'UTF-16', '"iso-8859-1"'].flatMap((charset) => [
    {
      given: `REST in ${charset}`,
      ...post('/v1/auth/login', [`${JSON_TYPE}; charset=${charset}`], LOGIN),
      status: 415,
      code: 'unsupported_media_type',
    },
    {
      given: `GraphQL in ${charset}`,
      ...post('/graphql', [`${JSON_TYPE}; charset=${charset}`], QUERY),
      status: 415,
      code: 'unsupported_media_type',
    },
  ]),
  ...['"UTF-8"', 'utf8', 'UTF8'].map((charset) => ({
    given: `UTF-8 as ${charset}`,
    ...post('/graphql', [`${JSON_TYPE};charset=${charset}`], QUERY),
    status: 200,
    code: undefined,
  })),
  {
    given: 'a gzip bomb',
    ...post(
      '/v1/auth/login',
      [JSON_TYPE, 'Content-Encoding: gzip'],
      gzipSync(Buffer.alloc(10_000_000)).toString('latin1'),
    ),
    status: 415,
    code: 'unsupported_media_type',
    header: ['accept-encoding', 'identity'],
  },
  {
    given: 'a compressed GraphQL request',
    ...post('/graphql', [JSON_TYPE, 'Content-Encoding: br'], QUERY),
    status: 415,
    code: 'unsupported_media_type',
    header: ['accept-encoding', 'identity'],
  },
  {
    given: 'a body above the limit, by its length',
    lines: ['POST /v1/auth/login HTTP/1.1', ...HOST, JSON_TYPE, 'Content-Length: 300000'],
    status: 413,
    code: 'body_too_large',
  },
  {
    given: 'a body above the limit, in chunks',
    lines: ['POST /v1/auth/login HTTP/1.1', ...HOST, JSON_TYPE, 'Transfer-Encoding: chunked'],
    body: `${'10000\r\n'.concat('x'.repeat(0x10000), '\r\n').repeat(5)}0\r\n\r\n`,
    status: 413,
    code: 'body_too_large',
  },
  {
    given: 'a length and chunks',
    lines: [
      'POST /v1/auth/login HTTP/1.1',
      ...HOST,
      JSON_TYPE,
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
    ],
    body: '0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
    status: 400,
    code: 'malformed_request',
  },
  {
    given: 'two lengths',
    lines: ['POST /v1/auth/login HTTP/1.1', ...HOST, JSON_TYPE, 'Content-Length: 5', 'Content-Length: 6'],
    body: 'hello!',
    status: 400,
    code: 'malformed_request',
  },
  {
    given: 'a line break in a header',
    lines: ['GET /v1/orders/7 HTTP/1.1', ...HOST, 'X: a\rb'],
    status: 400,
    code: 'malformed_request',
  },
  {
    given: 'no Host',
    lines: ['GET /v1/orders/7 HTTP/1.1', 'Connection: close'],
    status: 400,
    code: 'malformed_request',
  },
  {
    given: 'an overlong URL',
    lines: [`GET /${'x'.repeat(20_000)} HTTP/1.1`, ...HOST],
    status: 431,
    code: 'header_too_large',
  },
  {
    given: '1,000 headers',
    lines: [
      'GET /v1/orders/7 HTTP/1.1',
      ...HOST,
      ...Array.from({ length: 1000 }, (_, n) => `X-${n}: ${'y'.repeat(20)}`),
    ],
    status: 431,
    code: 'header_too_large',
  },
  {
    given: 'a mutation by GET',
    lines: [
      `GET /graphql?query=${encodeURIComponent('mutation { logout(refreshToken: "x") }')} HTTP/1.1`,
      ...HOST,
    ],
    status: 405,
    code: 'method_not_allowed',
    header: ['allow', 'POST'],
  },
  {
    given: 'a duplicate member',
    ...post('/v1/auth/login', [JSON_TYPE], '{"email":"a","email":"b","password":"c"}'),
    status: 400,
    code: 'invalid_json',
  },
  {
    given: '__proto__',
    ...post('/v1/auth/login', [JSON_TYPE], '{"__proto__":{"email":"a"},"password":"c"}'),
    status: 400,
    code: 'invalid_json',
  },
  {
    given: '__proto__ among variables',
    ...post('/graphql', [JSON_TYPE], '{"query":"{ __typename }","variables":{"__proto__":{"a":1}}}'),
    status: 400,
    code: 'invalid_json',
  },
  {
    given: 'a thousand nested brackets',
    ...post('/v1/auth/login', [JSON_TYPE], `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    status: 422,
    code: 'validation_failed',
  },
  { given: 'TRACE', lines: ['TRACE /v1/orders/7 HTTP/1.1', ...HOST], status: 501, code: 'not_implemented' },
  {
    given: 'CONNECT',
    lines: ['CONNECT evil.test:443 HTTP/1.1', ...HOST],
    status: 501,
    code: 'not_implemented',
  },
];

/** The error code, wherever the door puts it. */
function codeIn(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const body = JSON.parse(text) as { error?: { code: string }; errors?: { extensions: { code: string } }[] };
  return body.error?.code ?? body.errors?.[0]?.extensions.code;
}

// These requests never reach the database.
describeOnSqlite('a hostile client', (engine) => {
  const app = startApp(engine);
  // They share the thread with the other server.
  const hasty = startApp(engine, { timeouts: TIMEOUTS });
  const lonely = startApp(engine, { timeouts: SILENCE });

  /** A client that keeps reading during the tests, and its outcome. */
  const bystander = { answers: 0, others: 0, work: 0, ticks: 0, stop: false, done: Promise.resolve() };
  let ticks = 0;
  beforeAll(async () => {
    await app.signIn('ada');
    const ticking = setInterval(() => {
      ticks += 1;
    }, TICK);
    bystander.done = (async () => {
      while (!bystander.stop) {
        const [ticked, worked] = [ticks, threadTime()];
        const { status } = await app.get('/v1/orders/7', { as: 'ada' });
        bystander.ticks = Math.max(bystander.ticks, ticks - ticked);
        bystander.work = Math.max(bystander.work, threadTime() - worked);
        if (status === 200) bystander.answers += 1;
        else bystander.others += 1;
        await sleep(10);
      }
      clearInterval(ticking);
    })();
  });
  afterAll(async () => {
    bystander.stop = true;
    await bystander.done;
  });

  for (const { given, lines, body, status, code, header } of CASES) {
    test(`${given}: ${status || 'nothing'} ${code ?? ''}`, async () => {
      const response = await exchange(app.port, lines, body);
      expect(response.status || 0, response.text).toBe(status);
      expect(codeIn(response.text)).toBe(code);
      if (header) expect(response.headers.get(header[0])).toBe(header[1]);
      expect(response.text).not.toContain('    at ');
    });
  }

  const upgrade = [...UPGRADE, 'Sec-WebSocket-Version: 13'];
  test.each([
    ['a tunnel', ['CONNECT evil.test:443 HTTP/1.1', 'Host: evil.test:443']],
    ['a WebSocket at another path', ['GET /v1/orders/7 HTTP/1.1', ...upgrade]],
    ['a WebSocket without a key', ['GET /graphql HTTP/1.1', ...upgrade]],
    ['a WebSocket', ['GET /graphql HTTP/1.1', ...upgrade, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']],
  ])('that asks for %s and resets its connection stops no process', async (_, lines) => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', note);
    // The response has the end of the stream. The client keeps its side open.
    const client = connect({ port: app.port, host: '127.0.0.1', allowHalfOpen: true });
    client.write([...lines, '', ''].join('\r\n'));
    await once(client, 'data');
    const port = client.localPort;
    client.resetAndDestroy();
    await expect.poll(() => app.isConnectedTo(port)).toBe(false);
    process.off('uncaughtException', note);
    expect(uncaught).toEqual([]);
  });

  const provided = Object.entries(PROVIDED).flatMap(([path, methods]) =>
    methods.map((method) => [method, path]),
  );
  test.each(provided)(
    'that resets its connection before the response to %s %s writes nothing to standard error',
    async (...target) => {
      onTestFinished(() => void vi.restoreAllMocks());
      const written = vi.spyOn(console, 'error').mockReturnValue();
      const client = connect({ port: app.port, host: '127.0.0.1' });
      await once(client, 'connect');
      const { localPort } = client;
      const isSent = vi.fn<() => void>();
      const { end } = ServerResponse.prototype;
      vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...parts) {
        if (this.req.url === target[1]) {
          client.resetAndDestroy();
          isSent();
        }
        return end.apply(this, parts);
      });
      client.write([`${target.join(' ')} HTTP/1.1`, 'Host: portico.test', '', ''].join('\r\n'));
      await once(client, 'close');
      await expect.poll(() => app.isConnectedTo(localPort)).toBe(false);
      await nextTurn();
      expect(isSent).toHaveBeenCalledOnce();
      expect(written.mock.calls).toEqual([]);
    },
  );

  /** Sends bytes one at a time until the server closes the connection. @returns the response. */
  async function trickle(bytes: string): Promise<{ text: string; took: number }> {
    const socket = connect(hasty.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    const began = performance.now();
    const closed = once(socket, 'close');
    for (const byte of bytes) {
      if (socket.destroyed || text !== '') break;
      socket.write(byte);
      await sleep(20);
    }
    await closed;
    return { text, took: performance.now() - began };
  }

  test('returns 408 on a silent connection', async () => {
    const { text, took } = await trickle('');
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('"request_timeout"');
    expect(took).toBeLessThan(PATIENCE);
  });

  test('returns 408 for slow headers', async () => {
    const { text, took } = await trickle(`GET /v1/orders/7 HTTP/1.1\r\nX: ${'y'.repeat(500)}`);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('"request_timeout"');
    expect(took).toBeLessThan(PATIENCE);
  });

  test('returns 408 for a slow body', async () => {
    const head = `POST /v1/auth/login HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}\r\nContent-Length: 500\r\n\r\n`;
    const socket = connect(hasty.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    socket.write(head);
    while (!socket.destroyed && text === '') {
      socket.write(' ');
      await sleep(20);
    }
    await closed;
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('disconnects a client that sends requests without reading responses', async () => {
    const one = (await app.get('/openapi.json')).text.length;
    const socket = connect(lonely.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    // More responses than all buffers on the way can hold.
    const count = LIMITS.waitingRequests;
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
    await expect.poll(() => lonely.isConnectedTo(socket.localPort)).toBe(false);
    let received = 0;
    const closed = once(socket, 'close');
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    await closed;
    expect(received).toBeLessThan(one * count);
  });

  test.each([
    ['WebSocket', ['GET /nowhere HTTP/1.1', ...UPGRADE]],
    ['tunnel', ['CONNECT evil.test:443 HTTP/1.1', 'Host: evil.test:443']],
  ])('disconnects a client that stays connected after a refused %s', async (_, lines) => {
    const socket = connect({ port: lonely.port, host: '127.0.0.1', allowHalfOpen: true });
    const failed = once(socket, 'error');
    socket.write([...lines, '', ''].join('\r\n'));
    socket.resume();
    await Promise.race([once(socket, 'end').catch(() => undefined), failed]);
    // A closed connection is detected by writing to it.
    const writing = setInterval(() => socket.write('x'), 10);
    const error = await Promise.race([failed, sleep(PATIENCE, undefined, { ref: false })]);
    clearInterval(writing);
    socket.destroy();
    expect(error).toMatchObject([{ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) }]);
  });

  test('another client got all its responses meanwhile', () => {
    expect(bystander.answers).toBeGreaterThan(20);
    expect(bystander.others).toBe(0);
    expect(bystander.work).toBeLessThan(MOST_WORK);
    expect(bystander.ticks).toBeLessThan(MOST_TICKS);
  });
});
