/**
 * Client certificates that a proxy forwards in a header: from the proxy and from other addresses, duplicate,
 * unverified, and through a real nginx.
 */
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../deploy/processes.ts';
import type { CertificateHeader } from '../../src/core/environment.ts';
import { TlsFiles } from '../../src/http/tls/files.ts';
import { createForwardedReader } from '../../src/http/tls/forwarded.ts';
import { certificateOf } from '../../src/http/tls/presented.ts';
import { createTlsServer } from '../../src/http/tls/server.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { freePort, manageServers, ROOT, waitUntil } from '../support/process.ts';
import { exchange, SocketClient } from '../support/raw-clients.ts';
import { DEFAULTS } from '../support/settings.ts';
import { Authority, type Issued, sendTls } from '../support/tls.ts';

type Headers = Record<string, string>;

const escaped = (cert: string) => encodeURIComponent(cert);
const sequence = (cert: string) => `:${new X509Certificate(cert).raw.toString('base64')}:`;

/** How each kind of proxy formats a certificate. */
const NAMED: Readonly<Record<CertificateHeader, (cert: string) => Headers>> = {
  rfc9440: (cert) => ({ 'client-cert': sequence(cert) }),
  nginx: (cert) => ({ 'x-ssl-client-cert': escaped(cert), 'x-ssl-client-verify': 'SUCCESS' }),
  xfcc: (cert) => ({
    'x-forwarded-client-cert': `By=spiffe://mesh/portico;Hash=ab;Cert="${escaped(cert)}";Subject="CN=a, O=\\"b;c\\"";URI=spiffe://mesh/ci`,
  }),
};
const FORMATS = Object.keys(NAMED) as CertificateHeader[];

const directory = await mkdtemp(join(tmpdir(), 'portico-forwarded-'));
const authority = await Authority.found(await mkdtemp(join(directory, 'own-')));
const other = await Authority.found(await mkdtemp(join(directory, 'other-')));
const good = await authority.issue({ names: 'DNS:ci.acme.example,DNS:localhost' });
const stranger = await other.issue({ names: 'DNS:ci.acme.example' });

afterAll(() => rm(directory, { recursive: true }));

const nginx = findProgram('nginx', '-v');

/** Proxies from Debian packages, with their response to a certificate of another authority. */
const PROXIES = [
  { name: 'nginx', format: 'nginx', program: nginx, start: startNginx, onStranger: 401 },
  { name: 'nginx as Envoy', format: 'xfcc', program: nginx, start: startNginxAsEnvoy, onStranger: 400 },
  {
    name: 'HAProxy',
    format: 'rfc9440',
    program: findProgram('haproxy', '-v'),
    start: startHaproxy,
    onStranger: 401,
  },
] as const;

const settings = (header: CertificateHeader, trustProxy: string | number = '127.0.0.1') => ({
  http: { trustProxy, tls: { ...DEFAULTS.http.tls, header } },
  // Certificates from openssl are valid from now on.
  realTime: true,
});

const headersFor = (format: CertificateHeader, cert = good.cert) => NAMED[format](cert);
const order = (app: TestApp, headers: Headers) =>
  app.get<{ error?: { code: string } }>('/v1/orders/1', { headers });

/** Shared by all servers with one database. */
async function register(app: TestApp): Promise<void> {
  const body = { name: 'ci', match: { san_dns: 'ci.acme.example' }, scopes: ['read:orders', 'read:feed'] };
  const { status } = await app.post('/v1/client-certificates', { as: 'ada', body });
  expect([201, 409]).toContain(status);
}

/** A server for client certificates, which returns the names that it reads. @param isProxy whether its clients are proxies. */
async function readingServer(format: CertificateHeader, isProxy: boolean): Promise<number> {
  const paths = { cert: good.certFile, key: good.keyFile, ca: authority.caFile, crl: undefined };
  const ignore = () => {};
  const reports = { onFailure: ignore, onRenewal: ignore, onExpiry: ignore, onMissingList: ignore };
  const read = createForwardedReader({ format, trusts: () => isProxy, authorities: () => undefined });
  const http = createHttpServer((request, response) => {
    read(request);
    response.end(certificateOf(request)?.subjectAltName);
  });
  const tls = createTlsServer(http, new TlsFiles({ paths, ...reports }), 'certified');
  const server = createServer((socket) => tls.emit('connection', socket)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test.each(FORMATS)('the certificate of a proxy itself is not that of its client, as %s', async (format) => {
  const own = await authority.issue({ names: 'DNS:proxy.example' });
  const namesFrom = async (isProxy: boolean, headers: Headers) => {
    const port = await readingServer(format, isProxy);
    return (await sendTls({ port, path: '/', ca: await authority.ca(), shown: own, headers })).text;
  };
  expect(await namesFrom(true, headersFor(format))).toBe('DNS:ci.acme.example, DNS:localhost');
  expect(await namesFrom(true, {})).toBe('');
  expect(await namesFrom(false, {})).toBe('DNS:proxy.example');
});

describeEachEngine('the header of a proxy', (engine) => {
  describe.each(FORMATS)('as %s', (format) => {
    const app = startApp(engine, settings(format));
    const named = headersFor(format);

    beforeAll(() => register(app));

    test('authenticates registered clients on each door', async () => {
      expect((await order(app, named)).status).toBe(200);
      const graph = await app.graphql<{ order: unknown }>('{ order(id: 1) { id } }', {}, { headers: named });
      expect(graph.body.data).toEqual({ order: { id: '1' } });
      const socket = new SocketClient(app.port, undefined, named);
      await socket.open();
      socket.send({ id: '1', type: 'subscribe', payload: { query: '{ order(id: 1) { id } }' } });
      const payload = { data: { order: { id: '1' } } };
      expect(await socket.got(({ type }) => type === 'next')).toMatchObject({ payload });
      socket.socket.terminate();
    });

    test('means no certificate if it is missing', async () => {
      expect((await order(app, {})).status).toBe(401);
    });

    test('is ignored in another format', async () => {
      for (const each of FORMATS.filter((one) => one !== format)) {
        const response = await order(app, headersFor(each));
        expect([response.status, response.body.error?.code]).toEqual([401, 'unauthenticated']);
      }
    });

    test('is refused if it is invalid', async () => {
      for (const [name, value] of Object.entries(named)) {
        const half = Math.floor(value.length / 2);
        const cut = value.slice(0, half) + value.slice(half + Math.ceil(half / 2));
        const forms = [cut, `${value}, ${value}`, 'x', '::', '%', 'Cert="%GG"', `${value};X=",By=proxy`];
        for (const form of forms) {
          const response = await order(app, { ...named, [name]: form });
          const status = name === 'x-ssl-client-verify' ? 401 : 400;
          expect([name, form.slice(0, 10), response.status]).toEqual([name, form.slice(0, 10), status]);
        }
      }
    });

    test('returns 400 if it is sent twice, also for a WebSocket', async () => {
      const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}`);
      const upgrade = [
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ];
      for (const line of lines) {
        const common = ['Host: portico.test', ...lines, line];
        const rest = await exchange(app.port, ['GET /v1/orders/1 HTTP/1.1', 'Connection: close', ...common]);
        const socket = await exchange(app.port, ['GET /graphql HTTP/1.1', ...upgrade, ...common]);
        expect([rest.status, socket.status]).toEqual([400, 400]);
      }
    });
  });

  describe.each([0, '10.0.0.0/8'])('with TRUST_PROXY=%s', (trustProxy) => {
    const app = startApp(engine, settings('rfc9440', trustProxy));

    test('returns 400 from any other address, also together with a token', async () => {
      for (const as of [undefined, 'ada'] as const) {
        const response = await app.get('/v1/orders/1', { headers: headersFor('rfc9440'), ...(as && { as }) });
        expectError(response, { status: 400, code: 'malformed_request' });
      }
    });
  });

  describe('with known certificate authorities', () => {
    const tls = new TlsFiles({
      paths: { cert: undefined, key: undefined, ca: authority.caFile, crl: undefined },
      onFailure: () => {},
      onRenewal: () => {},
      onExpiry: () => {},
      onMissingList: () => {},
    });
    const app = startApp(engine, { ...settings('rfc9440'), tls });
    beforeAll(() => register(app));

    test('is ignored for a certificate of another authority', async () => {
      expect((await order(app, headersFor('rfc9440'))).status).toBe(200);
      const response = await order(app, headersFor('rfc9440', stranger.cert));
      expectError(response, { status: 401, code: 'invalid_token' });
    });
  });

  // The rest is about files and other programs, whatever the engine.
  if (!runsAllCases(engine)) return;

  describe('when the certificate authorities change', () => {
    const servers = manageServers(afterAll);

    test('the current file applies, and a file without a certificate is ignored', async () => {
      const database = await engine.create('bare');
      const caFile = join(await servers.directory(), 'ca.pem');
      await writeFile(caFile, await authority.ca());
      const server = await servers.start({
        env: {
          DATABASE_URL: database.url,
          CLIENT_CERT_HEADER: 'rfc9440',
          TRUST_PROXY: '127.0.0.1,::1',
          MTLS_CA_FILE: caFile,
        },
      });
      const problem = async () => {
        const headers = headersFor('rfc9440', stranger.cert);
        const response = await fetch(`http://127.0.0.1:${server.port}/v1/orders/1`, { headers });
        return JSON.parse(await response.text()).error.message as string;
      };
      expect(await problem()).toContain('from another authority');
      await writeFile(caFile, '');
      await waitUntil(() => server.stdout.includes('have become unusable'), 'the failure to be logged');
      expect(await problem()).toContain('from another authority');
      await writeFile(caFile, await other.ca());
      await waitUntil(
        async () => (await problem()).includes('not registered'),
        'the other authority to apply',
      );
    });

    test.each(['', 'nothing'])('a server does not start with a file of %j', async (text) => {
      const caFile = join(await mkdtemp(join(directory, 'empty-')), 'ca.pem');
      await writeFile(caFile, text);
      const paths = { cert: undefined, key: undefined, ca: caFile, crl: undefined };
      const open = () =>
        new TlsFiles({
          paths,
          onFailure: () => {},
          onRenewal: () => {},
          onExpiry: () => {},
          onMissingList: () => {},
        });
      expect(open).toThrow('no certificate of an authority');
    });
  });

  describe.each(PROXIES)('of a real $name', ({ format, program, start, onStranger }) => {
    const app = startApp(engine, settings(format));
    beforeAll(() => register(app));

    test('authenticates only clients that the proxy has verified', async ({ skip }) => {
      skip(!program, 'it is not installed');
      const port = await start(app.port, program ?? '');
      const send = (shown: Issued | undefined, headers: Headers = {}) =>
        sendTls({ port, path: '/v1/orders/1', ca: readFileSync(authority.caFile, 'utf8'), shown, headers });
      expect((await send(good)).status).toBe(200);
      // The proxy replaces what a client sends.
      for (const headers of [{}, headersFor(format)]) {
        expect((await send(undefined, headers)).status).toBe(401);
        expect((await send(stranger, headers)).status).toBe(onStranger);
      }
    });
  });
});

function exampleOf(language: string): string {
  const guide = readFileSync(join(ROOT, 'docs/certificates.md'), 'utf8');
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide)?.[1] ?? '';
}

/** nginx in front of a server, configured as in the guide. @returns its port. */
async function startNginx(
  upstream: number,
  program: string,
  change = (text: string) => text,
): Promise<number> {
  const [port, own] = [await freePort(), await mkdtemp(join(directory, 'nginx-'))];
  const filled = change(exampleOf('nginx'))
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('http://127.0.0.1:4000', `http://127.0.0.1:${upstream}`)
    .replace('/etc/portico/server.pem', good.certFile)
    .replace('/etc/portico/server.key', good.keyFile)
    .replace('/etc/portico/ca.pem', authority.caFile);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const text = `daemon off; pid ${own}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')} ${filled} }`;
  await writeFile(join(own, 'nginx.conf'), text);
  return listening(port, program, ['-p', own, '-c', join(own, 'nginx.conf')]);
}

/** The same with Envoy's header, for which nginx has no variable. */
function startNginxAsEnvoy(upstream: number, program: string): Promise<number> {
  return startNginx(upstream, program, (text) => {
    const lines = text
      .replace('optional_no_ca', 'optional')
      .replace(/proxy_set_header X-SSL-Client-Verify .*/, '')
      .replace(/X-SSL-Client-Cert .*/, 'X-Forwarded-Client-Cert $xfcc;');
    return `map $ssl_client_escaped_cert $xfcc { '' ''; default 'Cert="$ssl_client_escaped_cert"'; } ${lines}`;
  });
}

async function startHaproxy(upstream: number, program: string): Promise<number> {
  const [port, own] = [await freePort(), await mkdtemp(join(directory, 'haproxy-'))];
  await writeFile(join(own, 'server.pem'), good.cert + good.key);
  const times = ['connect', 'client', 'server'].map((name) => `  timeout ${name} 30s\n`);
  const text = exampleOf('haproxy')
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('/etc/portico/server.pem', join(own, 'server.pem'))
    .replace('/etc/portico/ca.pem', authority.caFile)
    .replace('127.0.0.1:4000', `127.0.0.1:${upstream}`);
  await writeFile(join(own, 'haproxy.cfg'), `defaults\n${times.join('')}\n${text}`);
  return listening(port, program, ['-db', '-f', join(own, 'haproxy.cfg')]);
}

async function listening(port: number, program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complaints += part;
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const connects = async () => {
    if (child.exitCode !== null) throw new Error(complaints);
    const socket = connect({ port, host: '127.0.0.1' });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen;
  };
  await waitUntil(connects, `${program} to listen\n${complaints}`);
  return port;
}
