/** TLS files that change or expire while they are in use. */
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { DAY, HOUR, LIMITS } from '../../src/core/limits.ts';
import { closeGracefully } from '../../src/http/lifecycle/connections.ts';
import { type Expiry, TlsFiles } from '../../src/http/tls/files.ts';
import { createTlsServer, isOutdated } from '../../src/http/tls/server.ts';
import { Authority, type Issued } from '../support/tls.ts';

const directory = await mkdtemp(join(tmpdir(), 'portico-tls-changes-'));
const authority = await Authority.found(await mkdtemp(join(directory, 'own-')));
const other = await Authority.found(await mkdtemp(join(directory, 'other-')), 'Other authority');

afterAll(() => rm(directory, { recursive: true }));

const unreported = { onRenewal: () => {}, onExpiry: () => {}, onMissingList: () => {} };

/** Listens until the test is over. @returns the port. */
async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer(onSocket).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Forwards bytes; those of the client after its first ones only when it is released. */
async function holdUp(to: number): Promise<{ port: number; held: Promise<void>; letGo(): void }> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const port = await listen((client) => {
    const server = connectTcp(to, '127.0.0.1');
    for (const socket of [client, server]) socket.on('error', () => {});
    server.pipe(client);
    client.once('data', (hello: Buffer) => {
      server.write(hello);
      client.once('data', async (rest: Buffer) => {
        client.pause();
        held.resolve();
        await released.promise;
        server.write(rest);
        client.pipe(server);
      });
    });
  });
  return { port, held: held.promise, letGo: released.resolve };
}

test('a handshake from before a change of trust gets a connection that closes after its first response', async () => {
  const [own, machine] = [
    await authority.issue({ names: 'DNS:localhost' }),
    await authority.issue({ names: 'DNS:ci.acme.example' }),
  ];
  const ca = join(directory, 'ca.pem');
  await copyFile(authority.caFile, ca);
  const paths = { cert: own.certFile, key: own.keyFile, ca, crl: undefined };
  const files = new TlsFiles({ paths, onFailure: () => {}, ...unreported });
  const http = createHttpServer((request, response) => response.end(String(isOutdated(request.socket))));
  const tls = createTlsServer(http, files, 'certified');
  const port = await listen((socket) => tls.emit('connection', socket));
  const proxy = await holdUp(port);
  const { cert, key } = machine;
  const shown = { host: '127.0.0.1', servername: 'localhost', ca: await authority.ca(), cert, key };
  const client = connect({ ...shown, port: proxy.port });
  onTestFinished(() => void client.destroy());
  await proxy.held;
  await copyFile(other.caFile, ca);
  files.reload();
  proxy.letGo();
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const parts: Buffer[] = [];
  client.on('data', (part: Buffer) => parts.push(part));
  await once(client, 'close');
  expect(Buffer.concat(parts).toString()).toMatch(/^HTTP\/1.1 200.*true$/s);
});

const SHORT = 'GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n';
const STREAM = 'GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** What a client can keep open, by the requests for it, and whether it is a response that has time to end. */
test.each([
  ['no request', '', false],
  ['a complete response', SHORT, false],
  ['a stream', STREAM, true],
  ['a stream that was requested before the response to another request', SHORT + STREAM, true],
  ['an unfinished body', 'POST /short HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n', true],
  [
    'a socket',
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    false,
  ],
])('after a change of trust, a connection with %s is closed', async (_what, request, isResponse) => {
  const [own, machine] = [
    await authority.issue({ names: 'DNS:localhost' }),
    await authority.issue({ names: 'DNS:ci.acme.example' }),
  ];
  const ca = join(directory, 'trusted.pem');
  await copyFile(authority.caFile, ca);
  const paths = { cert: own.certFile, key: own.keyFile, ca, crl: undefined };
  const files = new TlsFiles({ paths, onFailure: () => {}, ...unreported });
  const received = Promise.withResolvers<void>();
  const http = createHttpServer((asked, response) => {
    if (asked.url === '/stream') response.write('begun', () => received.resolve());
    else asked.resume().on('end', () => response.end());
    if (asked.method === 'POST') received.resolve();
    response.once('close', () => received.resolve());
  });
  http.on('upgrade', () => received.resolve());
  closeGracefully(http);
  const tls = createTlsServer(http, files, 'certified');
  const opened = once(tls, 'secureConnection');
  const port = await listen((socket) => tls.emit('connection', socket));
  const shown = { host: '127.0.0.1', servername: 'localhost', ca: await authority.ca() };
  const client = connect({ ...shown, cert: machine.cert, key: machine.key, port });
  client.resume().on('error', () => {});
  const [connection] = await opened;
  client.write(request);
  if (request !== '') await received.promise;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await copyFile(other.caFile, ca);
  files.reload();
  expect(connection.destroyed).toBe(false);
  vi.advanceTimersByTime(LIMITS.handshakeTimeout + LIMITS.outdatedConnection);
  expect(connection.destroyed).toBe(!isResponse);
  vi.advanceTimersByTime(LIMITS.outdatedConnection);
  expect(connection.destroyed).toBe(true);
});

/** Files with a certificate revocation list that is valid for 30 days, and their warnings. */
async function filesWithRevocations(lists: (ownList: string) => Promise<string>, ca = authority.caFile) {
  const own = await authority.issue({ names: 'DNS:localhost' });
  await authority.publishRevoked();
  const crl = join(directory, 'crl.pem');
  await writeFile(crl, await lists(await readFile(authority.crlFile, 'utf8')));
  const paths = { cert: own.certFile, key: own.keyFile, ca, crl };
  const expired: Expiry[] = [];
  const missing: object[] = [];
  const files = new TlsFiles({
    paths,
    onFailure: (error) => expect.unreachable(String(error)),
    onRenewal: () => {},
    onExpiry: (expiry) => expired.push(expiry),
    onMissingList: (list) => missing.push(list),
  });
  onTestFinished(() => files.close());
  return { files, kinds: () => expired.map(({ kind }) => kind), missing, crl };
}

test('files that expire are reported once: when they expire, and when they are read', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { files, kinds, crl } = await filesWithRevocations(async (list) => list);
  files.watch();
  vi.setSystemTime(Date.now() + 30 * DAY - HOUR);
  vi.advanceTimersByTime(LIMITS.tlsExpiryCheck);
  expect(kinds()).toEqual([]);
  vi.setSystemTime(Date.now() + HOUR);
  for (let look = 0; look < 3; look += 1) vi.advanceTimersByTime(LIMITS.tlsExpiryCheck);
  const all = ['authority', 'certificate', 'revocations'];
  expect(kinds().toSorted()).toEqual(all);
  // The file is being watched, so it is replaced atomically.
  await writeFile(`${crl}.new`, `${await readFile(crl, 'utf8')}\n`);
  await rename(`${crl}.new`, crl);
  files.reload();
  expect(kinds().slice(all.length).toSorted()).toEqual(all);
});

/** The beginning of the response to a client with this certificate. */
async function answerFor({ cert, key }: Issued, port: number): Promise<string> {
  const shown = { host: '127.0.0.1', servername: 'localhost', ca: await authority.ca(), cert, key };
  const client = connect({ ...shown, port });
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  // The connection may be reset before the client has sent its request.
  const received = await text(client).catch(() => '');
  return received.split('\r\n')[0] ?? '';
}

/** A file with both authorities. */
async function bothAuthorities(): Promise<string> {
  const ca = join(directory, 'both.pem');
  await writeFile(ca, `${await authority.ca()}${await other.ca()}`);
  return ca;
}

/** Listens on the port for client certificates. @returns the port, and the reasons for refused clients. */
async function listenWith(files: TlsFiles) {
  const http = createHttpServer((_, response) => response.end());
  const tls = createTlsServer(http, files, 'certified');
  const port = await listen((socket) => tls.emit('connection', socket));
  const refused: unknown[] = [];
  tls.on('tlsClientError', (_, socket) => refused.push(socket.authorizationError));
  return { port, refused };
}

test('a certificate revocation list applies to its own authority', async () => {
  const [kept, revoked] = [
    await other.issue({ names: 'DNS:kept.example' }),
    await other.issue({ names: 'DNS:revoked.example' }),
  ];
  await other.publishRevoked(revoked);
  const { files, missing } = await filesWithRevocations(
    async (list) => `${list}${await readFile(other.crlFile, 'utf8')}`,
    await bothAuthorities(),
  );
  files.watch();
  expect(missing).toEqual([]);
  const { port, refused } = await listenWith(files);
  expect(await answerFor(kept, port)).toBe('HTTP/1.1 200 OK');
  expect(await answerFor(revoked, port)).toBe('');
  expect(refused).toEqual(['CERT_REVOKED']);
});

test('an authority without a certificate revocation list is reported, since its clients are refused', async () => {
  const client = await other.issue({ names: 'DNS:unlisted.example' });
  await other.publishRevoked();
  const { files, missing, crl } = await filesWithRevocations(async (list) => list, await bothAuthorities());
  expect(missing).toEqual([]);
  files.watch();
  const report = { path: crl, authority: 'CN=Other authority' };
  expect(missing).toEqual([report]);
  const { port, refused } = await listenWith(files);
  expect(await answerFor(client, port)).toBe('');
  expect(refused).toEqual(['UNABLE_TO_GET_CRL']);
  const list = await readFile(crl, 'utf8');
  for (const [contents, reports] of [
    [`${list}\n`, 2],
    [`${list}${await readFile(other.crlFile, 'utf8')}`, 2],
  ] as const) {
    // The file is being watched, so it is replaced atomically.
    await writeFile(`${crl}.new`, contents);
    await rename(`${crl}.new`, crl);
    files.reload();
    expect(missing).toEqual(Array.from({ length: reports }, () => report));
  }
  expect(await answerFor(client, port)).toBe('HTTP/1.1 200 OK');
});

test('a file without a certificate revocation list is refused', async () => {
  await expect(filesWithRevocations(async () => 'none\n')).rejects.toThrow('contains no revocation list');
});
