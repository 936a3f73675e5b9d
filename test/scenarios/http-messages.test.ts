/** HTTP messages byte for byte (RFC 9112, and RFC 9110 on messages): each row is a request, the status of its response, and its clause. */
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { commonHeaders } from '../../src/http/hooks/response.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { exchange } from '../support/raw-clients.ts';

/** The lines are the request line and the headers. */
type Row = readonly [status: number, clause: string, lines: readonly string[], body?: string];

/** An address and origins with which responses have all the headers that depend on settings. */
const HTTPS = { publicUrl: 'https://portico.test', corsOrigins: ['https://shop.test'] };

const HOST = 'Host: portico.test';
const CLOSE = 'Connection: close';
const get = (...lines: string[]) => ['GET /healthz HTTP/1.1', ...lines, CLOSE];
const WEBSOCKET = [HOST, 'Connection: Upgrade', 'Upgrade: websocket'];
const WEBSOCKET_VERSION = 'Sec-WebSocket-Version: 13';
const WEBSOCKET_KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const UPGRADE = ['GET /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY];
const BODY = JSON.stringify({ refresh_token: 'none' });
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const post = (...lines: string[]) => [
  'POST /v1/auth/logout HTTP/1.1',
  HOST,
  'Content-Type: application/json',
  ...lines,
  CLOSE,
];
const chunked = (...parts: string[]) =>
  `${parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;

const TABLE: readonly Row[] = [
  // The request line.
  [200, '2.2: an empty line before it', ['', ...get(HOST)]],
  [400, '2.2: white space before the first field', get(` ${HOST}`)],
  [200, '2.3: HTTP/1.0', ['GET /healthz HTTP/1.0', HOST]],
  [200, '2.3: HTTP/1.0 without Host', ['GET /healthz HTTP/1.0']],
  [400, '2.3: HTTP in lower case', ['GET /healthz http/1.1', HOST, CLOSE]],
  [505, '2.3, RFC 9110, 15.6.6: HTTP/2.0', ['GET /healthz HTTP/2.0', HOST, CLOSE]],
  [505, 'RFC 9110, 15.6.6: HTTP/3.0', ['GET /healthz HTTP/3.0', HOST, CLOSE]],
  [505, 'RFC 9110, 15.6.6: HTTP/0.9', ['GET /healthz']],
  [400, '3: two words', ['GET HTTP/1.1', HOST, CLOSE]],
  [400, '3: four words', ['GET /healthz /docs HTTP/1.1', HOST, CLOSE]],
  [501, '3.1: methods are case-sensitive', ['get /healthz HTTP/1.1', HOST, CLOSE]],
  [501, '3.1: a method that does not exist', ['BREW /healthz HTTP/1.1', HOST, CLOSE]],
  [400, '3.2: no target form', ['GET healthz HTTP/1.1', HOST, CLOSE]],
  [200, '3.2.1: origin form with a query', ['GET /healthz?a=b HTTP/1.1', HOST, CLOSE]],
  [200, '3.2.2: absolute form', ['GET http://portico.test/healthz HTTP/1.1', HOST, CLOSE]],
  [200, '3.2.2: absolute form over https', ['GET https://portico.test/healthz HTTP/1.1', HOST, CLOSE]],
  [
    200,
    '3.2.2: absolute form with another Host',
    ['GET http://portico.test/healthz HTTP/1.1', 'Host: other.test', CLOSE],
  ],
  [400, '3.2.3: authority form is for CONNECT', ['GET portico.test:80 HTTP/1.1', HOST, CLOSE]],
  [204, '3.2.4: asterisk form', ['OPTIONS * HTTP/1.1', HOST, CLOSE]],
  ...['GET', 'POST', 'DELETE'].map(
    (method): Row => [400, `3.2.4: asterisk form with ${method}`, [`${method} * HTTP/1.1`, HOST, CLOSE]],
  ),
  [431, '3: a target of 20,000', [`GET /${'x'.repeat(20_000)} HTTP/1.1`, HOST]],
  // Host.
  [400, '3.2: no Host', get()],
  [400, '3.2: two Hosts', get(HOST, 'Host: other.test')],
  [400, '3.2: the same Host twice', get(HOST, HOST)],
  [400, '3.2: two Hosts in one line', get('Host: portico.test, other.test')],
  [200, '3.2: an empty Host', get('Host:')],
  [200, '3.2: a Host with its port', get('Host: portico.test:4000')],
  [200, '3.2: a Host with an empty port', get('Host: portico.test:')],
  [400, '3.2: an invalid port', get('Host: portico.test:http')],
  [200, '3.2: IPv6', get('Host: [::1]:4000')],
  [400, '3.2: IPv6 without brackets', get('Host: ::1')],
  [400, '3.2: a Host with a path', get('Host: portico.test/a')],
  [400, '3.2: a Host with a user', get('Host: ada@portico.test')],
  [400, '3.2: a Host with a space', get('Host: portico test')],
  [200, '3.2: a Host with an encoded character', get('Host: portic%6f.test')],
  [400, '3.2: an invalid percent-encoding', get('Host: portico%zz.test')],
  // Fields.
  [200, '5: field names are case-insensitive', get('hOsT: portico.test')],
  [400, '5.1: white space before the colon', get('Host : portico.test')],
  [200, '5.1: white space around the value', get('Host: \t portico.test \t')],
  [400, '5.1: no colon', get(HOST, 'Nonsense')],
  [400, '5.1: no name', get(HOST, ': nonsense')],
  [400, '5.1: a name with a space', get(HOST, 'X Y: z')],
  [400, '5.2: a folded line', get(HOST, 'X-Folded: a', ' b')],
  [400, 'RFC 9110, 5.5: NUL in a value', get(HOST, 'X: a\0b')],
  [400, 'RFC 9110, 5.5: CR in a value', get(HOST, 'X: a\rb')],
  [200, 'RFC 9110, 5.5: an empty value', get(HOST, 'X-Empty:')],
  [200, 'RFC 9110, 5.5: bytes beyond ASCII', get(HOST, 'X-Name: Zo\u00eb')],
  [
    431,
    'RFC 9110, 5.4: more headers than the server accepts',
    get(HOST, ...Array.from({ length: 1000 }, (_, n) => `X-${n}: ${'y'.repeat(20)}`)),
  ],
  // Bodies.
  [422, '6.3: no length is no body', post()],
  [204, '6.3: a length', post(LENGTH), BODY],
  [422, '6.3: a length of 0', post('Content-Length: 0')],
  [400, '6.3: a length that is not a number', post('Content-Length: x'), BODY],
  [400, '6.3: a negative length', post('Content-Length: -1'), BODY],
  [400, '6.3: a length with a sign', post(`Content-Length: +${BODY.length}`), BODY],
  [400, '6.3: a length in hexadecimal', post('Content-Length: 0x10'), BODY],
  [400, '6.3: two lengths', post('Content-Length: 5', LENGTH), BODY],
  [400, '6.3: the same length twice', post(LENGTH, LENGTH), BODY],
  [400, '6.3: a list of lengths', post(`Content-Length: ${BODY.length}, ${BODY.length}`), BODY],
  [400, '6.3: a length beyond the safe integers', post(`Content-Length: ${'9'.repeat(30)}`), BODY],
  [413, '6.3, RFC 9110, 15.5.14: a length above the limit', post('Content-Length: 300000')],
  [204, '6.1: chunked', post(CHUNKED), chunked(BODY.slice(0, 5), BODY.slice(5))],
  [204, '6.1: codings are case-insensitive', post('Transfer-Encoding: Chunked'), chunked(BODY)],
  ...[
    'gzip',
    'deflate',
    'compress',
    'identity',
    'x',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
  ].map(
    (coding): Row => [501, `6.1: the coding ${coding}`, post(`Transfer-Encoding: ${coding}`), chunked(BODY)],
  ),
  [501, '6.1: chunked in two lines', post('Transfer-Encoding: gzip', CHUNKED), chunked(BODY)],
  [
    400,
    '6.1: chunked in HTTP/1.0',
    ['POST /v1/auth/logout HTTP/1.0', HOST, 'Content-Type: application/json', CHUNKED],
    chunked(BODY),
  ],
  [400, '6.3: chunked and a length', post(CHUNKED, LENGTH), chunked(BODY)],
  [400, '6.3: a length and chunked', post(LENGTH, CHUNKED), chunked(BODY)],
  [400, '7.1: a size that is not a number', post(CHUNKED), `x\r\n${BODY}\r\n0\r\n\r\n`],
  [400, '7.1: a size with a sign', post(CHUNKED), `-1\r\n${BODY}\r\n0\r\n\r\n`],
  [400, '7.1: a size beyond the safe integers', post(CHUNKED), `${'f'.repeat(17)}\r\n${BODY}\r\n0\r\n\r\n`],
  [400, '7.1: a chunk that is longer than its size', post(CHUNKED), `2\r\n${BODY}\r\n0\r\n\r\n`],
  [
    204,
    '7.1.1: an extension of a chunk is ignored',
    post(CHUNKED),
    `${BODY.length.toString(16)};a=b\r\n${BODY}\r\n0\r\n\r\n`,
  ],
  [
    204,
    '7.1.2: a trailer is not merged',
    post(CHUNKED, 'Trailer: Authorization'),
    chunked(BODY).replace(/\r\n$/, 'Authorization: Bearer x\r\n\r\n'),
  ],
  // Expectations, content types, credentials and conditions (RFC 9110).
  [417, 'RFC 9110, 10.1.1: an unknown expectation', get(HOST, 'Expect: 200-ok')],
  [417, 'RFC 9110, 10.1.1: an unknown expectation before a body', post('Expect: 200-ok', LENGTH)],
  [417, 'RFC 9110, 10.1.1: an unknown expectation in a list', get(HOST, 'Expect: 200-ok, 201-created')],
  [200, 'RFC 9110, 10.1.1: no expectation', get(HOST, 'Expect:')],
  [200, 'RFC 9110, 10.1.1: an expectation in HTTP/1.0', ['GET /healthz HTTP/1.0', HOST, 'Expect: 200-ok']],
  [415, 'RFC 9110, 8.4, 15.5.16: an encoded body', post('Content-Encoding: gzip', LENGTH), BODY],
  [415, 'RFC 9110, 8.3: two content types', post('Content-Type: text/plain', LENGTH), BODY],
  [
    401,
    'RFC 9110, 11.6.2: two Authorization headers',
    ['GET /v1/orders/1 HTTP/1.1', HOST, 'Authorization: Bearer a', 'Authorization: Bearer b', CLOSE],
  ],
  [
    200,
    'RFC 9110, 13.1.3: If-Modified-Since is ignored without a modification date',
    get(HOST, 'If-Modified-Since: Sun, 06 Nov 2044 08:49:37 GMT'),
  ],
  [
    200,
    'RFC 9110, 13.1.4: If-Unmodified-Since is ignored without a modification date',
    get(HOST, 'If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT'),
  ],
  [200, 'RFC 9110, 7.8: an upgrade that is not offered is ignored', get(HOST, 'Upgrade: h2c')],
  [
    200,
    'RFC 9110, 7.8: an upgrade in HTTP/1.0 is ignored',
    ['GET /healthz HTTP/1.0', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY],
  ],
  // Invalid WebSocket handshakes (RFC 6455).
  [
    405,
    'RFC 6455, 4.2.1: an upgrade with another method',
    ['POST /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION, WEBSOCKET_KEY],
  ],
  [400, 'RFC 6455, 4.2.1: no key', ['GET /graphql HTTP/1.1', ...WEBSOCKET, WEBSOCKET_VERSION]],
  [
    400,
    'RFC 6455, 4.4: another version',
    ['GET /graphql HTTP/1.1', ...WEBSOCKET, 'Sec-WebSocket-Version: 12', WEBSOCKET_KEY],
  ],
  [
    400,
    'RFC 6455, 4.1: protocols that are not a list of tokens',
    [...UPGRADE, 'Sec-WebSocket-Protocol: a,,b'],
  ],
  [
    417,
    'RFC 6455, 4.1, RFC 9110, 10.1.1: an upgrade with an unknown expectation',
    [...UPGRADE, 'Expect: 200-ok'],
  ],
  [400, 'RFC 6455, 4.1, RFC 9112, 3.2: an upgrade with two Hosts', [...UPGRADE, HOST]],
  [
    400,
    'RFC 6750, 2: a token in the header and in the URL',
    ['GET /feed?access_token=a HTTP/1.1', HOST, 'Authorization: Bearer b', CLOSE],
  ],
  [
    400,
    'RFC 6750, 2: a token in the header and in the URL of a stream',
    [
      'GET /feed?access_token=a HTTP/1.1',
      HOST,
      'Authorization: Bearer b',
      'Accept: text/event-stream',
      CLOSE,
    ],
  ],
  [
    400,
    'RFC 6750, 3.1: two tokens in the URL of a stream',
    ['GET /feed?access_token=a&access_token=b HTTP/1.1', HOST, 'Accept: text/event-stream', CLOSE],
  ],
  [
    400,
    'RFC 6750, 2: a token in the header and in the URL of GraphQL',
    ['GET /graphql?query=%7B__typename%7D&access_token=a HTTP/1.1', HOST, 'Authorization: Bearer b', CLOSE],
  ],
];

const CASES = TABLE.map(([status, clause, lines, body]) => ({ clause, lines, body, status }));

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
      ['a WebSocket', UPGRADE, 400],
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
      const lines = ['POST /nope HTTP/1.1', HOST, 'Content-Type: text/plain', CHUNKED];
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
      const text = head(...post(...lines, LENGTH)) + BODY;
      expect(statuses(await conversation(text))).toEqual([100, 204]);
    });

    test('RFC 9110, 10.1.1: gets the response to a message that is invalid after 100 (Continue)', async () => {
      const text = head(...post('Expect: 100-continue', CHUNKED));
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
