/** Retry-After of every 503, whichever way its status and headers are set. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { responses } from '../../src/http/hooks/response.ts';
import { DEFAULTS } from '../support/settings.ts';

const WAYS: Readonly<
  Record<string, { send: (response: ServerResponse) => void; retryAfter: string | null }>
> = {
  '/status': {
    send: (response) => {
      response.statusCode = 503;
    },
    retryAfter: '1',
  },
  '/write-head': { send: (response) => response.writeHead(503), retryAfter: '1' },
  '/list': { send: (response) => response.writeHead(503, ['x-other', '1']), retryAfter: '1' },
  '/own': { send: (response) => response.writeHead(503, { 'retry-after': '9' }), retryAfter: '9' },
  '/own-before': {
    send: (response) => response.setHeader('Retry-After', '9').writeHead(503),
    retryAfter: '9',
  },
  '/internal': { send: (response) => response.writeHead(500), retryAfter: null },
  '/ok': { send: (response) => response.writeHead(200), retryAfter: null },
};

let server: Server;

beforeAll(async () => {
  const { budget } = DEFAULTS;
  const options = { publicUrl: 'https://portico.test', corsOrigins: [], tools: [], budget };
  server = createServer({ ServerResponse: responses(options, () => false) }, ({ url = '' }, response) => {
    WAYS[url]?.send(response);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => server.close());

test.each(Object.entries(WAYS))('%s', async (path, { retryAfter }) => {
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
  expect(headers.get('retry-after')).toBe(retryAfter);
});
