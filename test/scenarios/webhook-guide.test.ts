/** Runs the receiver of docs/webhooks.md unchanged, and sends messages to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection, idOf, signIn } from '../faults/client.ts';
import { freePort, manageServers, ROOT, waitUntil } from '../support/process.ts';

const servers = manageServers();
let directory: string;
let receiver: ChildProcess | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portico-receiver-'));
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const guide = await readFile(join(ROOT, 'docs', 'webhooks.md'), 'utf8');
  await writeFile(join(directory, 'receiver.mjs'), /```js\n(.*?)```/s.exec(guide)?.[1] ?? '');
});

afterAll(async () => {
  receiver?.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

test('the receiver of the guide accepts only messages of the server', async () => {
  const server = await servers.start({ env: { WEBHOOK_ALLOW_LOOPBACK: '1' } });
  const client = new Connection(server.url, await signIn(server.url));
  const port = await freePort();
  const url = `http://localhost:${port}/`;
  const made = await client.send('POST', '/v1/webhooks', { url, types: ['order.*'] });
  const { secret } = JSON.parse(made.body);
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: directory,
    env: { SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver = child;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const forged = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  await waitUntil(async () => {
    const response = await fetch(url, { method: 'POST', body: '{}', headers: forged }).catch(() => undefined);
    return response?.status === 401;
  }, 'the receiver to refuse forged messages');
  const order = idOf(await client.placeOrder());
  await waitUntil(() => output !== '', 'a message');
  expect(output).toBe(`order.created ${order}\n`);
  client.close();
});
