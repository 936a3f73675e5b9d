/** `portico healthcheck`: reads the same settings as the server. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, manageServers, waitUntil } from '../support/process.ts';
import { Authority } from '../support/tls.ts';
import { command } from './command.ts';

const servers = manageServers(afterAll);
const check = (environment: Record<string, string>) => command(['healthcheck'], { environment });

let tls: Record<string, string>;
beforeAll(async () => {
  const authority = await Authority.found(await servers.directory());
  const { certFile, keyFile } = await authority.issue({ names: 'DNS:api.example.com' });
  tls = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
});

describe.each([
  { name: 'with plain HTTP', settings: () => ({ HOST: '127.0.0.1' }) },
  { name: 'on all addresses', settings: () => ({ HOST: '0.0.0.0' }) },
  { name: 'with a base path', settings: () => ({ PUBLIC_URL: 'https://api.example.com/base' }) },
  { name: 'with TLS', settings: () => tls },
])('a server $name', ({ settings }) => {
  test('is healthy while it serves requests, and then not', async () => {
    const environment = { ...settings(), PORT: String(await freePort()) };
    const server = await servers.launch({ env: environment });
    await waitUntil(async () => (await check(environment)).code === 0, 'the server to be healthy');
    await server.end('SIGTERM');
    expect(await check(environment)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/./) });
  });
});

test.each([200, 301, 404, 503])('a response with %i is healthy only if it is 200', async (status) => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  expect(await check({ PORT: String(port) })).toMatchObject({ code: status === 200 ? 0 : 1 });
  expect(asked).toEqual(['/readyz']);
  server.close();
});

test.each([{ PORT: '0' }, { PORT: 'x' }])('%o is no port to check', async (environment) => {
  expect(await check(environment)).toMatchObject({ code: 1, err: expect.stringContaining('PORT') });
});

test('a port on which nothing listens is named', async () => {
  const port = String(await freePort());
  expect(await check({ HOST: '127.0.0.1', PORT: port })).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      `^No server responds on 127\\.0\\.0\\.1:${port} \\(HOST and PORT\\) \\(.*ECONNREFUSED`,
    ),
  });
});
