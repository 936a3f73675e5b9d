/** Runs the receiver of docs/webhooks.md unchanged, and sends messages to it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSigningSecret, signMessage } from '../../src/core/signatures.ts';
import { Connection, idOf, signIn } from '../faults/client.ts';
import { freePort, manageServers, ROOT, waitUntil } from '../support/process.ts';

const servers = manageServers();
let directory: string;
let receiver: ChildProcess | undefined;
let guide: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portico-receiver-'));
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  guide = await readFile(join(ROOT, 'docs', 'webhooks.md'), 'utf8');
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

const SECRET = newSigningSecret();
const NOW = new Date();
const BODY = '{"type":"order.created","data":{"title":"Größe"}}';
/** Messages with the verdict of a receiver that has `SECRET`. */
const MESSAGES = [
  ['signed with the secret', [SECRET], NOW, BODY, true],
  ['signed while the secret is replaced', [newSigningSecret(), SECRET], NOW, BODY, true],
  ['signed with another secret', [newSigningSecret()], NOW, BODY, false],
  ['sent again after ten minutes', [SECRET], new Date(NOW.getTime() - 600_000), BODY, false],
  ['with another body', [SECRET], NOW, BODY.replace('created', 'deleted'), false],
] as const;

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython && process.env['CI'] !== 'true')('the function in Python', () => {
  test.each(MESSAGES)('verifies a message %s', (_, secrets, time, body, isGenuine) => {
    const program = /```python\n(.*?)```/s.exec(guide)?.[1] ?? '';
    const message = JSON.stringify([SECRET, signMessage(secrets, 'evt_1', time, BODY), body]);
    const { stdout, stderr } = spawnSync(
      'python3',
      [
        '-c',
        `${program}
import json, sys
secret, headers, body = json.load(sys.stdin)
print(verify(secret, headers, body.encode()))`,
      ],
      { input: message, encoding: 'utf8' },
    );
    expect({ stdout, stderr }).toEqual({ stdout: isGenuine ? 'True\n' : 'False\n', stderr: '' });
  });
});
