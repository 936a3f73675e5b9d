/** HTTP messages byte for byte (RFC 9112, and RFC 9110 on messages): each line is a request and its clause. */
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { commonHeaders } from '../../src/http/hooks/response.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { exchange } from '../support/raw-clients.ts';

interface Case {
  readonly clause: string;
  /** The request line and the headers. */
  readonly lines: readonly string[];
  readonly body?: string;
  readonly status: number;
}

/** An address and origins with which responses have all the headers that depend on settings. */
const HTTPS = { publicUrl: 'https://portico.test', corsOrigins: ['https://shop.test'] };

const HOST = 'Host: portico.test';
const CLOSE = 'Connection: close';
const get = (...lines: string[]) => ['GET /healthz HTTP/1.1', ...lines, CLOSE];
const WEBSOCKET = [HOST, 'Connection: Upgrade', 'Upgrade: websocket'];
const WEBSOCKET_VERSION = 'Sec-WebSocket-Version: 13';
const WEBSOCKET_KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const BODY = JSON.stringify({ refresh_token: 'none' });
const post = (...lines: string[]) => [
  'POST /v1/auth/logout HTTP/1.1',
  HOST,
  'Content-Type: application/json',
  ...lines,
  CLOSE,
];
const chunked = (...parts: string[]) =>
  `${parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;

const CASES: readonly Case[] = [
  // The request line.
  { clause: '2.2: an empty line before it', lines: ['', ...get(HOST)], status: 200 },
  { clause: '2.2: white space before the first field', lines: get(` ${HOST}`), status: 400 },
  { clause: '2.3: HTTP/1.0', lines: ['GET /healthz HTTP/1.0', HOST], status: 200 },
  { clause: '2.3: HTTP/1.0 without Host', lines: ['GET /healthz HTTP/1.0'], status: 200 },
  { clause: '2.3: HTTP in lower case', lines: ['GET /healthz http/1.1', HOST, CLOSE], status: 400 },
  {
    clause: '2.3, RFC 9110, 15.6.6: HTTP/2.0',
    lines: ['GET /healthz HTTP/2.0', HOST, CLOSE],
    status: 505,
  },
  { clause: 'RFC 9110, 15.6.6: HTTP/3.0', lines: ['GET /healthz HTTP/3.0', HOST, CLOSE], status: 505 },
  { clause: 'RFC 9110, 15.6.6: HTTP/0.9', lines: ['GET /healthz'], status: 505 },
  { clause: '3: two words', lines: ['GET HTTP/1.1', HOST, CLOSE], status: 400 },
  { clause: '3: four words', lines: ['GET /healthz /docs HTTP/1.1', HOST, CLOSE], status: 400 },
  { clause: '3.1: methods are case-sensitive', lines: ['get /healthz HTTP/1.1', HOST, CLOSE], status: 501 },
  {
    clause: '3.1: a method that does not exist',
    lines: ['BREW /healthz HTTP/1.1', HOST, CLOSE],
    status: 501,
  },
  { clause: '3.2: no target form', lines: ['GET healthz HTTP/1.1', HOST, CLOSE], status: 400 },
  {
    clause: '3.2.1: origin form with a query',
    lines: ['GET /healthz?a=b HTTP/1.1', HOST, CLOSE],
    status: 200,
  },
  {
    clause: '3.2.2: absolute form',
    lines: ['GET http://portico.test/healthz HTTP/1.1', HOST, CLOSE],
    status: 200,
  },
  {
    clause: '3.2.2: absolute form over https',
    lines: ['GET https://portico.test/healthz HTTP/1.1', HOST, CLOSE],
    status: 200,
  },
  {
    clause: '3.2.2: absolute form with another Host',
    lines: ['GET http://portico.test/healthz HTTP/1.1', 'Host: other.test', CLOSE],
    status: 200,
  },
  {
    clause: '3.2.3: authority form is for CONNECT',
    lines: ['GET portico.test:80 HTTP/1.1', HOST, CLOSE],
    status: 400,
  },
  { clause: '3.2.4: asterisk form', lines: ['OPTIONS * HTTP/1.1', HOST, CLOSE], status: 204 },
  ...['GET', 'POST', 'DELETE'].map((method) => ({
    clause: `3.2.4: asterisk form with ${method}`,
    lines: [`${method} * HTTP/1.1`, HOST, CLOSE],
    status: 400,
  })),
  { clause: '3: a target of 20,000', lines: [`GET /${'x'.repeat(20_000)} HTTP/1.1`, HOST], status: 431 },
  // Host.
  { clause: '3.2: no Host', lines: get(), status: 400 },
  { clause: '3.2: two Hosts', lines: get(HOST, 'Host: other.test'), status: 400 },
  { clause: '3.2: the same Host twice', lines: get(HOST, HOST), status: 400 },
  { clause: '3.2: two Hosts in one line', lines: get('Host: portico.test, other.test'), status: 400 },
  { clause: '3.2: an empty Host', lines: get('Host:'), status: 200 },
  { clause: '3.2: a Host with its port', lines: get('Host: portico.test:4000'), status: 200 },
  { clause: '3.2: a Host with an empty port', lines: get('Host: portico.test:'), status: 200 },
  { clause: '3.2: an invalid port', lines: get('Host: portico.test:http'), status: 400 },
  { clause: '3.2: IPv6', lines: get('Host: [::1]:4000'), status: 200 },
  { clause: '3.2: IPv6 without brackets', lines: get('Host: ::1'), status: 400 },
  { clause: '3.2: a Host with a path', lines: get('Host: portico.test/a'), status: 400 },
  { clause: '3.2: a Host with a user', lines: get('Host: ada@portico.test'), status: 400 },
  { clause: '3.2: a Host with a space', lines: get('Host: portico test'), status: 400 },
  { clause: '3.2: a Host with an encoded character', lines: get('Host: portic%6f.test'), status: 200 },
  { clause: '3.2: an invalid percent-encoding', lines: get('Host: portico%zz.test'), status: 400 },
  // Fields.
  { clause: '5: field names are case-insensitive', lines: get('hOsT: portico.test'), status: 200 },
  { clause: '5.1: white space before the colon', lines: get('Host : portico.test'), status: 400 },
  { clause: '5.1: white space around the value', lines: get('Host: \t portico.test \t'), status: 200 },
  { clause: '5.1: no colon', lines: get(HOST, 'Nonsense'), status: 400 },
  { clause: '5.1: no name', lines: get(HOST, ': nonsense'), status: 400 },
  { clause: '5.1: a name with a space', lines: get(HOST, 'X Y: z'), status: 400 },
  { clause: '5.2: a folded line', lines: get(HOST, 'X-Folded: a', ' b'), status: 400 },
  { clause: 'RFC 9110, 5.5: NUL in a value', lines: get(HOST, 'X: a\0b'), status: 400 },
  { clause: 'RFC 9110, 5.5: CR in a value', lines: get(HOST, 'X: a\rb'), status: 400 },
  { clause: 'RFC 9110, 5.5: an empty value', lines: get(HOST, 'X-Empty:'), status: 200 },
  { clause: 'RFC 9110, 5.5: bytes beyond ASCII', lines: get(HOST, 'X-Name: Zo\u00eb'), status: 200 },
  {
    clause: 'RFC 9110, 5.4: more headers than the server accepts',
    lines: get(HOST, ...Array.from({ length: 1000 }, (_, n) => `X-${n}: ${'y'.repeat(20)}`)),
    status: 431,
  },
  // Bodies.
  { clause: '6.3: no length is no body', lines: post(), status: 422 },
  { clause: '6.3: a length', lines: post(`Content-Length: ${BODY.length}`), body: BODY, status: 204 },
  { clause: '6.3: a length of 0', lines: post('Content-Length: 0'), status: 422 },
  { clause: '6.3: a length that is not a number', lines: post('Content-Length: x'), body: BODY, status: 400 },
  {
    clause: '6.3: a negative length',
    lines: post('Content-Length: -1'),
    body: BODY,
    status: 400,
  },
  {
    clause: '6.3: a length with a sign',
    lines: post(`Content-Length: +${BODY.length}`),
    body: BODY,
    status: 400,
  },
  { clause: '6.3: a length in hexadecimal', lines: post('Content-Length: 0x10'), body: BODY, status: 400 },
  {
    clause: '6.3: two lengths',
    lines: post('Content-Length: 5', `Content-Length: ${BODY.length}`),
    body: BODY,
    status: 400,
  },
  {
    clause: '6.3: the same length twice',
    lines: post(`Content-Length: ${BODY.length}`, `Content-Length: ${BODY.length}`),
    body: BODY,
    status: 400,
  },
  {
    clause: '6.3: a list of lengths',
    lines: post(`Content-Length: ${BODY.length}, ${BODY.length}`),
    body: BODY,
    status: 400,
  },
  {
    clause: '6.3: a length beyond the safe integers',
    lines: post(`Content-Length: ${'9'.repeat(30)}`),
    body: BODY,
    status: 400,
  },
  {
    clause: '6.3, RFC 9110, 15.5.14: a length above the limit',
    lines: post('Content-Length: 300000'),
    status: 413,
  },
  {
    clause: '6.1: chunked',
    lines: post('Transfer-Encoding: chunked'),
    body: chunked(BODY.slice(0, 5), BODY.slice(5)),
    status: 204,
  },
  {
    clause: '6.1: codings are case-insensitive',
    lines: post('Transfer-Encoding: Chunked'),
    body: chunked(BODY),
    status: 204,
  },
  ...[
    'gzip',
    'deflate',
    'compress',
    'identity',
    'x',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
  ].map((coding) => ({
    clause: `6.1: the coding ${coding}`,
    lines: post(`Transfer-Encoding: ${coding}`),
    body: chunked(BODY),
    status: 501,
  })),
  {
    clause: '6.1: chunked in two lines',
    lines: post('Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'),
    body: chunked(BODY),
    status: 501,
  },
  {
    clause: '6.1: chunked in HTTP/1.0',
    lines: [
      'POST /v1/auth/logout HTTP/1.0',
      HOST,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ],
    body: chunked(BODY),
    status: 400,
  },
  {
    clause: '6.3: chunked and a length',
    lines: post('Transfer-Encoding: chunked', `Content-Length: ${BODY.length}`),
    body: chunked(BODY),
    status: 400,
  },
  {
    clause: '6.3: a length and chunked',
    lines: post(`Content-Length: ${BODY.length}`, 'Transfer-Encoding: chunked'),
    body: chunked(BODY),
    status: 400,
  },
  {
    clause: '7.1: a size that is not a number',
    lines: post('Transfer-Encoding: chunked'),
    body: `x\r\n${BODY}\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    clause: '7.1: a size with a sign',
    lines: post('Transfer-Encoding: chunked'),
    body: `-1\r\n${BODY}\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    clause: '7.1: a size beyond the safe integers',
    lines: post('Transfer-Encoding: chunked'),
    body: `${'f'.repeat(17)}\r\n${BODY}\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    clause: '7.1: a chunk that is longer than its size',
    lines: post('Transfer-Encoding: chunked'),
    body: `2\r\n${BODY}\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    clause: '7.1.1: an extension of a chunk is ignored',
    lines: post('Transfer-Encoding: chunked'),
    body: `${BODY.length.toString(16)};a=b\r\n${BODY}\r\n0\r\n\r\n`,
    status: 204,
  },
  {
    clause: '7.1.2: a trailer is not merged',
    lines: post('Transfer-Encoding: chunked', 'Trailer: Authorization'),
    body: chunked(BODY).replace(/\r\n$/, 'Authorization: Bearer x\r\n\r\n'),
    status: 204,
  },
  // Expectations, content types, credentials and conditions (RFC 9110).
  {
    clause: 'RFC 9110, 10.1.1: an unknown expectation',
    lines: get(HOST, 'Expect: 200-ok'),
    status: 417,
  },
  {
    clause: 'RFC 9110, 10.1.1: an unknown expectation before a body',
    lines: post('Expect: 200-ok', `Content-Length: ${BODY.length}`),
    status: 417,
  },
  {
    clause: 'RFC 9110, 10.1.1: an unknown expectation in a list',
    lines: get(HOST, 'Expect: 200-ok, 201-created'),
    status: 417,
  },
  { clause: 'RFC 9110, 10.1.1: no expectation', lines: get(HOST, 'Expect:'), status: 200 },
  {
    clause: 'RFC 9110, 10.1.1: an expectation in HTTP/1.0',
    lines: ['GET /healthz HTTP/1.0', HOST, 'Expect: 200-ok'],
    status: 200,
  },
  {
    clause: 'RFC 9110, 8.4, 15.5.16: an encoded body',
    lines: post('Content-Encoding: gzip', `Content-Length: ${BODY.length}`),
    body: BODY,
    status: 415,
  },
  {
    clause: 'RFC 9110, 8.3: two content types',
    lines: post('Content-Type: text/plain', `Content-Length: ${BODY.length}`),
    body: BODY,
    status: 415,
  },
  {
    clause: 'RFC 9110, 11.6.2: two Authorization headers',
    lines: ['GET /v1/orders/1 HTTP/1.1', HOST, 'Authorization: Bearer a', 'Authorization: Bearer b', CLOSE],
    status: 401,
  },
  {
    clause: 'RFC 9110, 13.1.3: If-Modified-Since is ignored without a modification date',
    lines: get(HOST, 'If-Modified-Since: Sun, 06 Nov 2044 08:49:37 GMT'),
    status: 200,
  },
  {
    clause: 'RFC 9110, 13.1.4: If-Unmodified-Since is ignored without a modification date',
    lines: get(HOST, 'If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT'),
    status: 200,
  },
  {
    clause: 'RFC 9110, 7.8: an upgrade that is not offered is ignored',
    lines: get(HOST, 'Upgrade: h2c'),
    status: 200,
  },
  {
    clause: 'RFC 9110, 7.8: an upgrade in HTTP/1.0 is ignored',
    lines: ['GET /healthz HTTP/1.0', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY],
    status: 200,
  },
  // Invalid WebSocket handshakes (RFC 6455).
  {
    clause: 'RFC 6455, 4.2.1: an upgrade with another method',
    lines: ['POST /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY],
    status: 405,
  },
  {
    clause: 'RFC 6455, 4.2.1: no key',
    lines: ['GET /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION],
    status: 400,
  },
  {
    clause: 'RFC 6455, 4.4: another version',
    lines: ['GET /graphql HTTP/1.1', ...WEBSOCKET, 'Sec-WebSocket-Version: 12', WEBSOCKET_KEY],
    status: 400,
  },
  {
    clause: 'RFC 6455, 4.1: protocols that are not a list of tokens',
    lines: [
      'GET /graphql HTTP/1.1',
      ...WEBSOCKET,
      WEBSOCKET_VERSION,
      WEBSOCKET_KEY,
      'Sec-WebSocket-Protocol: a,,b',
    ],
    status: 400,
  },
  {
    clause: 'RFC 6455, 4.1, RFC 9110, 10.1.1: an upgrade with an unknown expectation',
    lines: ['GET /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY, 'Expect: 200-ok'],
    status: 417,
  },
  {
    clause: 'RFC 6455, 4.1, RFC 9112, 3.2: an upgrade with two Hosts',
    lines: ['GET /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY, HOST],
    status: 400,
  },
  {
    clause: 'RFC 6750, 2: a token in the header and in the URL',
    lines: ['GET /feed?access_token=a HTTP/1.1', HOST, 'Authorization: Bearer b', CLOSE],
    status: 400,
  },
  {
    clause: 'RFC 6750, 2: a token in the header and in the URL of a stream',
    lines: [
      'GET /feed?access_token=a HTTP/1.1',
      HOST,
      'Authorization: Bearer b',
      'Accept: text/event-stream',
      CLOSE,
    ],
    status: 400,
  },
  {
    clause: 'RFC 6750, 3.1: two tokens in the URL of a stream',
    lines: ['GET /feed?access_token=a&access_token=b HTTP/1.1', HOST, 'Accept: text/event-stream', CLOSE],
    status: 400,
  },
  {
    clause: 'RFC 6750, 2: a token in the header and in the URL of GraphQL',
    lines: [
      'GET /graphql?query=%7B__typename%7D&access_token=a HTTP/1.1',
      HOST,
      'Authorization: Bearer b',
      CLOSE,
    ],
    status: 400,
  },
];

// Messages are parsed before the database is used.
describeOnSqlite('RFC 9112', (engine) => {
  const app = startApp(engine, { http: HTTPS });

  test.each(CASES)('$clause: $status', async ({ clause, lines, body, status }) => {
    const response = await exchange(app.port, lines, body);
    expect(response.status, response.text).toBe(status);
    // RFC 6455, 4.4.
    if (clause.startsWith('RFC 6455')) expect(response.headers.get('sec-websocket-version')).toBe('13');
    if (status >= 400) expect(response.text).toMatch(/"code":"\w+"/);
    const common = { ...commonHeaders(HTTPS), date: expect.stringContaining('GMT') };
    if (status >= 400) expect(Object.fromEntries(response.headers)).toMatchObject(common);
    if (status === 417 && !clause.startsWith('RFC 6455'))
      expect(response.headers.has('x-request-id')).toBe(true);
    // RFC 9112, 9.6: after a message that is not valid HTTP, the server closes the connection.
    if (status === 505 || status === 501) expect(response.headers.get('connection')).toBe('close');
  });

  /**
   * Returns everything that the server writes until it closes the connection.
   *
   * @param texts each is sent when something has been received after the one before.
   */
  const conversation = (...texts: [string, ...string[]]) =>
    new Promise<string>((resolve, reject) => {
      let received = '';
      const [first, ...others] = texts;
      const socket = connect({ port: app.port, host: '127.0.0.1' });
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => {
        received += chunk;
        const next = others.shift();
        if (next !== undefined) socket.write(next);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(received));
      socket.write(first);
    });
  const statuses = (text: string) =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

  test.each(CASES)('9.3, on a connection with an earlier request: $clause: $status', async (each) => {
    const [earlier, text] = [head('GET /healthz HTTP/1.1', HOST), head(...each.lines) + (each.body ?? '')];
    expect(statuses(await conversation(earlier, text))).toEqual([200, each.status]);
    // A client that does not wait for the response to an earlier request gets no WebSocket.
    if (each.clause.startsWith('RFC 6455')) return;
    expect(statuses(await conversation(earlier + text))).toEqual([200, each.status]);
  });

  describe('a connection', () => {
    test.each([
      ['an invalid message', ['nonsense'], 400],
      ['a message with an unknown method', ['BREW / HTTP/1.1', HOST], 501],
      ['CONNECT', ['CONNECT portico.test:443 HTTP/1.1', HOST], 501],
      ['a WebSocket', ['GET /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY], 400],
    ])('9.3.2: gets the response to %s after those that are not ready yet', async (_, lines, status) => {
      const { token } = await app.signIn('ada');
      const earlier = head('GET /v1/orders/7 HTTP/1.1', HOST, `Authorization: Bearer ${token}`);
      const received = await conversation(earlier.repeat(2) + head(...lines), head(...get(HOST)));
      const isUpgrade = status === 400 && lines.length > 1;
      expect(statuses(received)).toEqual([200, 200, status, ...(isUpgrade ? [200] : [])]);
    });

    test('RFC 9110, 7.8: gets a WebSocket after a response that its client has received, but that the system has not reported as sent', async () => {
      const sent = Promise.withResolvers<void>();
      onTestFinished(() => sent.resolve());
      // With TLS, Node learns from the system that a response was sent only after the next request.
      app.server.once('connection', (socket: Socket) => {
        const { _write, _writev } = Socket.prototype;
        const late = (done: () => void) => () => void sent.promise.then(done);
        socket._write = (chunk, encoding, done) => _write.call(socket, chunk, encoding, late(done));
        socket._writev = (chunks, done) => _writev?.call(socket, chunks, late(done));
      });
      const client = connect({ port: app.port, host: '127.0.0.1' }).setEncoding('utf8');
      onTestFinished(() => void client.destroy());
      client.write(head('GET /healthz HTTP/1.1', HOST));
      expect(statuses((await once(client, 'data')).join())).toEqual([200]);
      for (const event of ['upgrade', 'request']) app.server.once(event, () => sent.resolve());
      client.write(head('GET /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY));
      expect(statuses((await once(client, 'data')).join())).toEqual([101]);
    });

    test('7.1: gets one response to a message that turns out to be invalid after its response', async () => {
      const lines = ['POST /nope HTTP/1.1', HOST, 'Content-Type: text/plain', 'Transfer-Encoding: chunked'];
      expect(statuses(await conversation(head(...lines), 'nonsense\r\n'))).toEqual([404]);
    });

    test('9.6: is not reset while its client still sends a message that was refused', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const client = connect({ port: app.port, host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void client.destroy());
      client.write('nonsense\r\n\r\n');
      await once(client.resume(), 'end');
      const isConnected = () => app.isConnectedTo(client.localPort);
      for (let part = 0; part < 3; part += 1) {
        client.write('nonsense\r\n');
        // What was sent before has been read.
        await app.get('/healthz');
      }
      expect(isConnected()).toBe(true);
      vi.advanceTimersByTime(LIMITS.lingerTime);
      await expect.poll(isConnected).toBe(false);
    });

    test('9.3: persists for further requests', async () => {
      const text = head('GET /healthz HTTP/1.1', HOST) + head('GET /nope HTTP/1.1', HOST, CLOSE);
      expect(statuses(await conversation(text))).toEqual([200, 404]);
    });

    test('9.3.2: gets responses to pipelined requests in their order', async () => {
      const paths = ['/healthz', '/nope', '/docs', '/v1/orders/1', '/healthz'];
      const text = paths.map((path) => head(`GET ${path} HTTP/1.1`, HOST)).join('');
      expect(statuses(await conversation(text + head(...get(HOST))))).toEqual([200, 404, 200, 401, 200, 200]);
    });

    test('9.6: ends after a response to Connection: close', async () => {
      const text = head(...get(HOST)) + head('GET /healthz HTTP/1.1', HOST);
      const response = await conversation(text);
      expect(statuses(response)).toEqual([200]);
      expect(response).toMatch(/^connection: close/im);
    });

    test('9.3: of HTTP/1.0 ends after its response', async () => {
      expect(statuses(await conversation(head('GET /healthz HTTP/1.0')))).toEqual([200]);
    });

    test.each(['gzip', 'gzip, chunked'])(
      '6.1: ends after a body in %s, and no part of it is read as a request',
      async (coding) => {
        const smuggled = head('GET /docs HTTP/1.1', HOST);
        const text = head('GET /healthz HTTP/1.1', HOST, `Transfer-Encoding: ${coding}`) + chunked(smuggled);
        expect(statuses(await conversation(text + smuggled))).toEqual([501]);
      },
    );

    test('11.2: nothing after a request with two Hosts is executed', async () => {
      const text = head('GET /healthz HTTP/1.1', HOST, HOST) + head('GET /docs HTTP/1.1', HOST);
      expect(statuses(await conversation(text))).toEqual([400]);
    });

    test.each([
      ['100-continue', ['Expect: 100-continue']],
      ['100-continue twice', ['Expect: 100-continue', 'Expect: 100-Continue']],
      ['a list with empty members', ['Expect: ,100-continue ,']],
    ])('RFC 9110, 10.1.1: continues after %s', async (_name, lines) => {
      const text = head(...post(...lines, `Content-Length: ${BODY.length}`)) + BODY;
      expect(statuses(await conversation(text))).toEqual([100, 204]);
    });

    test('RFC 9110, 10.1.1: gets the response to a message that is invalid after 100 (Continue)', async () => {
      const text = head(...post('Expect: 100-continue', 'Transfer-Encoding: chunked'));
      expect(statuses(await conversation(text, 'nonsense\r\n'))).toEqual([100, 400]);
    });
  });

  test('RFC 9112, 3.2.2: links in a response to the absolute form use its path', async () => {
    const { token } = await app.signIn('ada');
    const response = await exchange(app.port, [
      'GET http://portico.test/v1/users/1/orders?limit=1 HTTP/1.1',
      HOST,
      `Authorization: Bearer ${token}`,
      CLOSE,
    ]);
    expect(response.text).toContain('"next":"/v1/users/1/orders?limit=1&page=2"');
  });
});
