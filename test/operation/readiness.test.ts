import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { CHANNEL } from '../../src/cluster/wakes.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { signIn } from '../faults/client.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { manageServers, waitUntil } from '../support/process.ts';
import { manageRedis, sharedRedis } from '../support/redis.ts';
import { membersOf } from '../support/test-doubles.ts';

// Starts processes, which is slow on a shared machine.
const servers = manageServers();
const redisServers = manageRedis();

/** The report of a server. A busy machine may take longer than the probe waits for a database or Redis, so tests that need both ask again. */
const readinessOf = async (url: string) => {
  const response = await fetch(`${url}/readyz`);
  return {
    status: response.status,
    body: await response.json(),
    retryAfter: response.headers.get('retry-after'),
  };
};

describeEachEngine('readiness', (engine) => {
  const app = startApp(engine);

  test('reports the missing migrations and is not ready', async () => {
    const record = engine.name === 'sqlite' ? '__drizzle_migrations' : 'drizzle.__drizzle_migrations';
    await engine.place.query(`delete from ${record}`);
    await expect
      .poll(() => readinessOf(app.url))
      .toMatchObject({
        status: 503,
        retryAfter: '1',
        body: {
          status: 'not ready',
          checks: { database: 'ok', migrations: 'missing', draining: 'no' },
          reasons: [
            expect.stringMatching(/^The database lacks migrations: [1-9]\d*\. Run `npx portico migrate`\.$/),
          ],
        },
      });
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  });

  test('recognises a database without any migration', async () => {
    const place = await engine.create('bare');
    const database = await place.open();
    // SQLite creates an empty file when it opens it.
    expect(await database.missingMigrations()).toBeGreaterThan(0);
    await database.close();
  });
});

describeEachEngine(
  'a database',
  (engine) => {
    describe('that refuses changes', () => {
      const app = startApp(engine, {
        around: (database) => ({ ...membersOf(database), refusesChanges: true }),
      });

      test('degrades the server, which still serves reads', async () => {
        await expect
          .poll(() => readinessOf(app.url))
          .toEqual({
            status: 200,
            retryAfter: null,
            body: {
              status: 'degraded',
              checks: { database: 'ok', migrations: 'ok', changes: 'refused', draining: 'no' },
              reasons: [
                'The database refused changes: its disk is full or fails, it is read-only, or its file was replaced.',
              ],
            },
          });
      });
    });

    describe('that does not respond', () => {
      const app = startApp(engine, {
        around: (database) => ({ ...membersOf(database), ping: () => new Promise(() => {}) }),
      });

      test('is reported before a probe gives up', async () => {
        const began = performance.now();
        const { status, body } = await readinessOf(app.url);
        const took = performance.now() - began;
        expect([status, body]).toMatchObject([503, { checks: { database: 'unreachable' } }]);
        // Without a limit, there would be no response.
        expect(took).toBeGreaterThanOrEqual(LIMITS.probeTime - 1);
      });
    });
  },
  'sqlite',
);

test('a server with Redis reports it as reachable', async ({ skip }) => {
  const server = await servers.start({ env: { REDIS_URL: sharedRedis(skip) } });
  await expect
    .poll(() => readinessOf(server.url))
    .toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { redis: 'ok' } },
    });
});

test('a Redis that refuses writes is reported, and requests do without it', async ({ skip }) => {
  // Less than an empty Redis uses, so that every write is refused.
  const redis = await redisServers.start(skip, '--maxmemory', '1', '--maxmemory-policy', 'noeviction');
  const server = await servers.start({ env: { REDIS_URL: redis.url, LOG_LEVEL: 'error' } });
  const headers = { authorization: `Bearer ${await signIn(server.url)}` };
  for (const order of [1, 2])
    expect((await fetch(`${server.url}/v1/orders/${order}`, { headers })).status).toBe(200);
  await expect
    .poll(() => readinessOf(server.url))
    .toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { redis: 'refused' } },
    });
  const lines = server.stdout.split('\n').filter((line) => line.includes('Redis refuses commands'));
  expect(lines).toEqual([expect.stringContaining('OOM command not allowed')]);
});

test('a Redis that refuses the messages between instances is reported, until it permits them', async ({
  skip,
}) => {
  const redis = await redisServers.start(skip);
  const operator = new Redis(redis.url);
  await operator.call('acl', 'setuser', 'limited', 'on', '>secret', '~*', '+@all', 'resetchannels');
  const url = redis.url.replace('//', '//limited:secret@');
  const server = await servers.start({ env: { REDIS_URL: url, LOG_LEVEL: 'error' } });
  const listeners = async () => (await operator.pubsub('NUMSUB', CHANNEL))[1];
  try {
    await waitUntil(() => server.stdout.includes('NOPERM'), 'the report');
    await expect
      .poll(() => readinessOf(server.url))
      .toMatchObject({
        status: 200,
        body: { status: 'degraded', checks: { redis: 'refused' } },
      });
    expect(await listeners()).toBe(0);
    await operator.call('acl', 'setuser', 'limited', 'allchannels');
    await waitUntil(async () => (await listeners()) === 1, 'the server to listen');
  } finally {
    operator.disconnect();
  }
});
