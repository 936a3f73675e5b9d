/** Metrics about what the server depends on: the database, Redis and the files of TLS. */
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ask, isDegraded } from '../../src/cluster/redis.ts';
import { LIMITS, MINUTE } from '../../src/core/limits.ts';
import { TlsFiles } from '../../src/http/tls/files.ts';
import { createMetrics } from '../../src/observability/prometheus.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { freePort, manageServers } from '../support/process.ts';
import { connectPatiently, manageRedis } from '../support/redis.ts';
import { membersOf } from '../support/test-doubles.ts';
import { Authority } from '../support/tls.ts';

const servers = manageServers();
const redisServers = manageRedis();

const directory = await mkdtemp(join(tmpdir(), 'portico-dependencies-'));
const authority = await Authority.found(directory);
const own = await authority.issue({ names: 'DNS:localhost' });

afterAll(() => rm(directory, { recursive: true }));

const ignore = () => {};
const tls = new TlsFiles({
  paths: { cert: own.certFile, key: own.keyFile, ca: authority.caFile, crl: undefined },
  onFailure: ignore,
  onRenewal: ignore,
  onExpiry: ignore,
  onMissingList: ignore,
});

/** The values of the gauges without labels, with the kinds of the others. */
async function gaugesAt(url: string) {
  const families = readMetrics(await (await fetch(`${url}/metrics`)).text());
  const expiries = families.find(({ name }) => name === 'portico_tls_expiry_timestamp_seconds');
  return {
    refused: sumOf(families, 'portico_changes_refused'),
    withoutRedis: sumOf(families, 'portico_redis_degraded'),
    expiries: Object.fromEntries(
      (expiries?.samples ?? []).map(({ labels, value }) => [labels['kind'], value]),
    ),
  };
}

describeEachEngine(
  'the metrics of a server',
  (engine) => {
    describe('whose database refuses changes, and that has certificates', () => {
      const app = startApp(engine, {
        tls,
        around: (database) => ({ ...membersOf(database), refusesChanges: true }),
      });

      test('show both', async () => {
        const expiries = {
          certificate: new X509Certificate(own.cert).validToDate,
          authority: tls.authorities?.[0]?.validToDate,
        };
        expect(await gaugesAt(app.url)).toEqual({
          refused: 1,
          withoutRedis: 0,
          expiries: Object.fromEntries(
            Object.entries(expiries).map(([kind, at]) => [kind, Number(at) / 1000]),
          ),
        });
      });
    });

    describe('that lacks nothing', () => {
      const app = startApp(engine);

      test('show that', async () => {
        expect(await gaugesAt(app.url)).toEqual({ refused: 0, withoutRedis: 0, expiries: {} });
      });
    });
  },
  'sqlite',
);

test('the metrics of a server show that its Redis is unreachable', async () => {
  const { url } = await servers.start({ env: { REDIS_URL: `redis://127.0.0.1:${await freePort()}` } });
  expect(await gaugesAt(url)).toMatchObject({ withoutRedis: 1 });
});

test('a Redis that responds too late is degraded, although it is connected', async ({ skip }) => {
  const { url } = await redisServers.start(skip);
  const [redis, operator] = [await connectPatiently(url), await connectPatiently(url)];
  try {
    expect(isDegraded(redis)).toBe(false);
    await operator.call('client', 'pause', String(MINUTE), 'ALL');
    redis.options.commandTimeout = LIMITS.redisTimeout;
    await expect(ask(redis, () => redis.get('portico'))).rejects.toThrow();
    expect([redis.status, isDegraded(redis)]).toEqual(['ready', true]);
  } finally {
    redis.disconnect();
    operator.disconnect();
  }
});

test('of several files of one kind, the first to expire counts, until it is replaced', async () => {
  const metrics = createMetrics();
  let expiries = [3, 1, 2].map((day) => ({ kind: 'authority', at: new Date(`2026-01-0${day}T00:00:00Z`) }));
  metrics.watchDependencies(() => ({ refusesChanges: false, lacksRedis: false, expiries }));
  const shown = async () =>
    sumOf(readMetrics(await metrics.text()), 'portico_tls_expiry_timestamp_seconds') * 1000;
  expect(new Date(await shown()).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  expiries = expiries.filter(({ at }) => at.getUTCDate() !== 1);
  expect(new Date(await shown()).toISOString()).toBe('2026-01-02T00:00:00.000Z');
});
