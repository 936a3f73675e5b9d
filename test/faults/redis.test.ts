import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRedis } from '../../src/cluster/redis.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { freePort, manageServers, waitUntil } from '../support/process.ts';
import { manageRedis } from '../support/redis.ts';
import { signIn } from './client.ts';

const redisServers = manageRedis();
const servers = manageServers();

test('an outage is reported once, however long, and so is its end', async ({ skip }) => {
  const server = await redisServers.start(skip);
  const told: string[] = [];
  const redis = await openRedis({
    url: server.url,
    onLost: () => told.push('lost'),
    onBack: () => told.push('back'),
  });
  try {
    for (const outage of [1, 2]) {
      await server.stop();
      await waitUntil(() => told.length === outage * 2 - 1, 'the outage to be noticed');
      const asked = performance.now();
      await expect(redis.get('portico')).rejects.toThrow();
      expect(performance.now() - asked).toBeLessThan(1000);
      await sleep(500);
      await server.start();
      await waitUntil(() => told.length === outage * 2, 'the end of the outage to be noticed');
      expect(await redis.get('portico')).toBeNull();
    }
    expect(told).toEqual(['lost', 'back', 'lost', 'back']);
  } finally {
    redis.disconnect();
  }
});

test('of a master that is lost, the sentinels name the successor', async ({ skip }) => {
  const { url, master, replica } = await redisServers.startWatched(skip);
  const follower = await openRedis({ url: replica.url, onLost: () => undefined, onBack: () => undefined });
  const redis = await openRedis({
    url,
    onLost: () => undefined,
    onBack: () => undefined,
  });
  try {
    await redis.set('written', 'before');
    await waitUntil(async () => (await follower.get('written')) === 'before', 'the replica to have it');
    await master.stop();
    const writes = () =>
      redis.set('written', 'after').then(
        () => true,
        () => false,
      );
    await waitUntil(writes, 'the successor to take writes');
    expect(await follower.get('written')).toBe('after');
  } finally {
    redis.disconnect();
    follower.disconnect();
  }
});

/** What a Redis says to each command while it reads its data from the disk. */
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
  test(`a Redis that ${what} is waited for, but not for long`, async () => {
    const sockets: Socket[] = [];
    const slow = createServer((socket) => {
      sockets.push(socket);
      serve(socket);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    // A server that listens on a port has an address of this kind.
    const { port } = slow.address() as AddressInfo;
    const told: string[] = [];
    const began = performance.now();
    const redis = await openRedis({
      url: `redis://127.0.0.1:${port}`,
      onLost: () => told.push('lost'),
      onBack: () => told.push('back'),
    });
    try {
      expect(performance.now() - began).toBeLessThan(LIMITS.redisFirstAttempt + 1000);
      expect(told).toEqual(['lost']);
      expect(redis.status).not.toBe('ready');
      await expect(redis.get('portico')).rejects.toThrow();
    } finally {
      redis.disconnect();
      for (const socket of sockets) socket.destroy();
      slow.close();
    }
  });
}

test('a server starts, answers and stops without the configured Redis', async () => {
  const server = await servers.start({ env: { REDIS_URL: `redis://127.0.0.1:${await freePort()}` } });
  expect(await signIn(server.url)).toMatch(/^\S+$/);
  await sleep(1000);
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(server.stdout.match(/Redis cannot be reached/g)).toHaveLength(1);
  expect(server.stderr).toBe('');
});
