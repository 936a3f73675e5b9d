/** A client that is generated from openapi.json type-checks, and places and cancels an order. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { manageServers, ROOT } from '../support/process.ts';

const run = promisify(execFile);
const servers = manageServers();

/** Written as somebody would who knows nothing but the generated types. */
const CLIENT = `import createClient from 'openapi-fetch';
import type { paths } from './portico.ts';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

const session = await client.POST('/v1/auth/login', {
  body: { email: 'ada@acme.test', password: 'portico-demo' },
});
if (!session.data) throw new Error(session.error?.error.message);
const { access_token } = session.data;
client.use({
  onRequest: ({ request }) => request.headers.set('authorization', \`Bearer \${access_token}\`),
});

const placed = await client.POST('/v1/users/{user_id}/orders', {
  params: { path: { user_id: 1 } },
  body: { items: [{ product_id: 1, qty: 2 }] },
});
if (!placed.data) throw new Error(placed.error.error.message);
const { id, total, items } = placed.data;

const cancelled = await client.PATCH('/v1/orders/{order_id}', {
  params: { path: { order_id: id }, header: { 'If-Match': placed.response.headers.get('etag') ?? '' } },
  body: { status: 'cancelled' },
});
if (!cancelled.data) throw new Error(cancelled.error.error.message);

const again = await client.PATCH('/v1/orders/{order_id}', {
  params: { path: { order_id: id } },
  body: { status: 'shipped' },
});
// The codes of a route are a union of literals, so that a misspelt one does not compile.
const refused = again.error?.error.code === 'invalid_transition';
console.log(JSON.stringify({ total, qty: items[0]?.qty, status: cancelled.data.status, refused }));
`;

const CONFIG = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: { noEmit: true, types: ['node'] },
  include: ['*.ts'],
};

test('a generated client type-checks, places an order and cancels it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-client-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    await run(process.execPath, [
      join(ROOT, 'test/support/generate-client.ts'),
      join(ROOT, 'openapi.json'),
      join(folder, 'portico.ts'),
    ]);
    await writeFile(join(folder, 'client.ts'), CLIENT);
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', folder]);
    const server = await servers.start({});
    const { stdout } = await run(process.execPath, [join(folder, 'client.ts'), server.url]);
    expect(JSON.parse(stdout)).toEqual({ total: 39.98, qty: 2, status: 'cancelled', refused: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
