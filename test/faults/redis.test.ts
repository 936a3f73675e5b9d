import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openRedis } from '../../src/redis.ts';
import { freePort, manageServers, waitUntil } from '../support/process.ts';
import { manageRedis } from '../support/redis.ts';
import { signIn } from './client.ts';

vi.setConfig({ testTimeout: 30_000 });

const redisServers = manageRedis();
const servers = manageServers();

test('an outage is told once, however long, and so is its end', async ({ skip }) => {
  const server = await redisServers.start(skip);
  const told: string[] = [];
  const redis = openRedis({
    url: server.url,
    onLost: () => told.push('lost'),
    onBack: () => told.push('back'),
  });
  try {
    await waitUntil(() => redis.status === 'ready', 'the connection');
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

test('a server starts, answers and stops without the Redis it was told of', async () => {
  const server = await servers.start({ env: { REDIS_URL: `redis://127.0.0.1:${await freePort()}` } });
  expect(await signIn(server.url)).toMatch(/^\S+$/);
  await sleep(1000);
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(server.stdout.match(/Redis cannot be reached/g)).toHaveLength(1);
  expect(server.stderr).toBe('');
});
