/** Files of TLS that change, or come to their end, while they are used. */
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { DAY, HOUR } from '../../src/core/limits/units.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { type Expiry, TlsFiles } from '../../src/http/tls/files.ts';
import { createTlsServer, isOutdated } from '../../src/http/tls/server.ts';
import { Authority, type Issued } from '../support/authority.ts';

const directory = await mkdtemp(join(tmpdir(), 'portico-tls-changes-'));
const authority = await Authority.found(await mkdtemp(join(directory, 'own-')));
const other = await Authority.found(await mkdtemp(join(directory, 'other-')), 'Other authority');

afterAll(() => rm(directory, { recursive: true }));

/** Listens until the test is over. @returns the port. */
async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer(onSocket).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Passes bytes on, those of the client after its first ones only when it is let go on. */
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

test('a handshake from before a change of trust gives a connection that closes after its first response', async () => {
  const [own, machine] = [
    await authority.issue({ names: 'DNS:localhost' }),
    await authority.issue({ names: 'DNS:ci.acme.example' }),
  ];
  const ca = join(directory, 'ca.pem');
  await copyFile(authority.caFile, ca);
  const paths = { cert: own.certFile, key: own.keyFile, ca, crl: undefined };
  const files = new TlsFiles({ paths, onFailure: () => {}, onRenewal: () => {}, onExpiry: () => {} });
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

/** Files with a list of revoked certificates that is valid for 30 days, and what they report. */
async function filesWithRevocations(lists: (ownList: string) => Promise<string>, ca = authority.caFile) {
  const own = await authority.issue({ names: 'DNS:localhost' });
  await authority.publishRevoked();
  const crl = join(directory, 'crl.pem');
  await writeFile(crl, await lists(await readFile(authority.crlFile, 'utf8')));
  const paths = { cert: own.certFile, key: own.keyFile, ca, crl };
  const expired: Expiry[] = [];
  const files = new TlsFiles({
    paths,
    onFailure: (error) => expect.unreachable(String(error)),
    onRenewal: () => {},
    onExpiry: (expiry) => expired.push(expiry),
  });
  onTestFinished(() => files.close());
  return { files, kinds: () => expired.map(({ kind }) => kind), crl };
}

test('files that expire are reported once: when they do, and when they are read', async () => {
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
  // The file is being watched: it is never seen half written.
  await writeFile(`${crl}.new`, `${await readFile(crl, 'utf8')}\n`);
  await rename(`${crl}.new`, crl);
  files.reload();
  expect(kinds().slice(all.length).toSorted()).toEqual(all);
});

/** The beginning of what a client with this certificate gets. */
async function answerFor({ cert, key }: Issued, port: number): Promise<string> {
  const shown = { host: '127.0.0.1', servername: 'localhost', ca: await authority.ca(), cert, key };
  const client = connect({ ...shown, port });
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  // It may be reset before it has sent its request.
  const received = await text(client).catch(() => '');
  return received.split('\r\n')[0] ?? '';
}

test('a list of revocations is that of each authority in its file', async () => {
  const [kept, revoked] = [
    await other.issue({ names: 'DNS:kept.example' }),
    await other.issue({ names: 'DNS:revoked.example' }),
  ];
  await other.publishRevoked(revoked);
  const ca = join(directory, 'both.pem');
  await writeFile(ca, `${await authority.ca()}${await other.ca()}`);
  const { files } = await filesWithRevocations(
    async (list) => `${list}${await readFile(other.crlFile, 'utf8')}`,
    ca,
  );
  const http = createHttpServer((_, response) => response.end());
  const tls = createTlsServer(http, files, 'certified');
  const port = await listen((socket) => tls.emit('connection', socket));
  const refused: unknown[] = [];
  tls.on('tlsClientError', (_, socket) => refused.push(socket.authorizationError));
  expect(await answerFor(kept, port)).toBe('HTTP/1.1 200 OK');
  expect(await answerFor(revoked, port)).toBe('');
  expect(refused).toEqual(['CERT_REVOKED']);
});

test('a file without a list of revocations cannot be used', async () => {
  await expect(filesWithRevocations(async () => 'none\n')).rejects.toThrow('contains no revocation list');
});
