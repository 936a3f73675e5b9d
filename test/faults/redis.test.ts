import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRedis } from '../../src/cluster/redis.ts';
import { freePort, manageServers, waitUntil } from '../support/process.ts';
import { connectPatiently, manageRedis } from '../support/redis.ts';
import { DEFAULTS } from '../support/settings.ts';
import { signIn } from './client.ts';

const redisServers = manageRedis();
const servers = manageServers();

test('an outage is reported once, however long, and so is its end', async ({ skip }) => {
  const server = await redisServers.start(skip);
  const reports: string[] = [];
  const redis = await connectPatiently(server.url, {
    onLost: () => reports.push('lost'),
    onBack: () => reports.push('back'),
  });
  // On a busy machine, the first connection may be late, which is reported as well.
  reports.splice(0);
  try {
    for (const outage of [1, 2]) {
      await server.stop();
      await waitUntil(() => reports.length === outage * 2 - 1, 'the outage to be detected');
      // Without waiting for the end of the outage, which comes later.
      await expect(redis.get('portico')).rejects.toThrow();
      await sleep(500);
      await server.start();
      await waitUntil(() => reports.length === outage * 2, 'the end of the outage to be detected');
      expect(await redis.get('portico')).toBeNull();
    }
    expect(reports).toEqual(['lost', 'back', 'lost', 'back']);
  } finally {
    redis.disconnect();
  }
});

test('after a failover, the sentinels name the new master', async ({ skip }) => {
  const { url, master, replica } = await redisServers.startWatched(skip);
  const follower = await connectPatiently(replica.url);
  const redis = await connectPatiently(url);
  try {
    await redis.set('written', 'before');
    await waitUntil(async () => (await follower.get('written')) === 'before', 'the replica to have it');
    await master.stop();
    const writes = () =>
      redis.set('written', 'after').then(
        () => true,
        () => false,
      );
    await waitUntil(writes, 'the new master to accept writes');
    expect(await follower.get('written')).toBe('after');
  } finally {
    redis.disconnect();
    follower.disconnect();
  }
});

/** The response of Redis to every command while it loads its data from disk. */
const LOADING = 'loading:1\r\nloading_eta_seconds:60';

for (const [what, serve] of [
  ['accepts connections and says nothing', () => {}],
  [
    'still reads its data',
    (socket: Socket) => {
      socket.on('data', (sent) => {
        const commands = String(sent).match(/^\*\d+\r$/gm) ?? [];
        for (const _ of commands) socket.write(`$${LOADING.length}\r\n${LOADING}\r\n`);
      });
    },
  ],
] as const) {
  test(`a Redis that ${what} delays a start only for a limited time`, async () => {
    const sockets: Socket[] = [];
    const slow = createServer((socket) => {
      sockets.push(socket);
      serve(socket);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    // A TCP server that listens has an address of this type.
    const { port } = slow.address() as AddressInfo;
    const reports: string[] = [];
    const began = performance.now();
    const redis = await openRedis({
      url: `redis://127.0.0.1:${port}`,
      onLost: () => reports.push('lost'),
      onBack: () => reports.push('back'),
    });
    try {
      expect(performance.now() - began).toBeLessThan(DEFAULTS.operations.deadline);
      expect(reports).toEqual(['lost']);
      expect(redis.status).not.toBe('ready');
      await expect(redis.get('portico')).rejects.toThrow();
    } finally {
      redis.disconnect();
      for (const socket of sockets) socket.destroy();
      slow.close();
    }
  });
}

test('a server starts, is ready, responds and stops without the configured Redis', async () => {
  const server = await servers.start({ env: { REDIS_URL: `redis://127.0.0.1:${await freePort()}` } });
  expect(await signIn(server.url)).toMatch(/^\S+$/);
  const readiness = async () => {
    const response = await fetch(`${server.url}/readyz`);
    return [response.status, response.headers.get('retry-after'), await response.json()];
  };
  await expect.poll(readiness).toEqual([
    200,
    null,
    {
      status: 'degraded',
      checks: { database: 'ok', migrations: 'ok', redis: 'unreachable', draining: 'no' },
      reasons: ['Redis does not respond: events of other instances arrive with a delay.'],
    },
  ]);
  await sleep(1000);
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(server.stdout.match(/Redis cannot be reached/g)).toHaveLength(1);
  expect(server.stderr).toBe('');
});
