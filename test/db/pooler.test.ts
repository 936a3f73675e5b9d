/** The database behind PgBouncer in transaction mode, which runs each transaction in a shared session. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { sql } from '../../src/db/drizzle/index.ts';
import { statementError } from '../../src/db/errors.ts';
import { openDatabase } from '../../src/db/open.ts';
import { listOrganisations } from '../../src/db/queries/organisations.ts';
import { loadRows } from '../../src/db/queries/shared/loading.ts';
import { statement } from '../../src/db/statement.ts';
import { describeEachEngine } from '../support/engines.ts';
import { DEFAULTS } from '../support/settings.ts';
import { hasPooler, type Pooler, startPooler } from './pgbouncer.ts';

const one = sql`(select 1) as one`;
const current = (name: string) => sql<string>`current_setting(${sql.raw(`'${name}'`)})`;

const settings = statement<object, readonly Record<string, string>[]>('test.settings', ({ orm }) =>
  orm
    .select({
      statement: current('statement_timeout'),
      readOnly: current('transaction_read_only'),
      zone: current('timezone'),
      jit: current('jit'),
      plans: current('plan_cache_mode'),
    })
    .from(one),
);

const prepared = statement<object, readonly { n: number }[]>('test.prepared', ({ orm }) =>
  orm.select({ n: sql<number>`count(*)::int` }).from(sql`pg_prepared_statements`),
);

const sleep = statement<{ seconds: number }, unknown>('test.sleepThroughPooler', ({ orm }, p) =>
  orm.select({ slept: sql`pg_sleep(${p.seconds})` }).from(one),
);

const broken = statement<object, unknown>('test.broken', ({ orm }) =>
  orm.select({ broken: sql`1 / (select 0)` }).from(one),
);

/**
 * Configurations of PgBouncer: it refuses startup parameters that it does not know, or is configured to
 * ignore them.
 */
const CONFIGURATIONS = {
  'that refuses startup options': ['default_pool_size = 1'],
  'that ignores startup options': ['default_pool_size = 1', 'ignore_startup_parameters = options'],
};

describe.skipIf(!hasPooler)('with PgBouncer on this machine', () => {
  describe.each(Object.entries(CONFIGURATIONS))('a pooler %s', (_title, configuration) => {
    describeEachEngine(
      'a database behind it',
      (engine) => {
        let pooler: Pooler | undefined;
        let first: OpenDatabase;
        let second: OpenDatabase;

        beforeAll(async () => {
          if (!engine.concurrent) return;
          pooler = await startPooler(engine.place.url, configuration);
          const options = { ...DEFAULTS.database, url: pooler.through(engine.place.url), prepare: false };
          first = await openDatabase(options);
          second = await openDatabase(options);
        });
        afterAll(async () => {
          await first?.close();
          await second?.close();
          await pooler?.stop();
        });

        engine.testConcurrent('has its settings in each read and each transaction', async () => {
          const common = { statement: '10s', zone: 'UTC', jit: 'off', plans: 'force_generic_plan' };
          expect(await first.run(settings, {})).toEqual([{ ...common, readOnly: 'on' }]);
          const inside = await second.transaction((tx) => tx.run(settings, {}));
          expect(inside).toEqual([{ ...common, readOnly: 'off' }]);
        });

        engine.testConcurrent('has no prepared statements', async () => {
          await first.run(settings, {});
          expect(await second.run(prepared, {})).toEqual([{ n: 0 }]);
        });

        engine.testConcurrent('is shared by many transactions at once', async () => {
          const createdAt = new Date();
          const add = (database: OpenDatabase, id: string) =>
            database.transaction((tx) => loadRows(tx, 'organisations', [{ id, name: id, createdAt }]));
          const ids = Array.from({ length: 40 }, (_, index) => `pooled-${index}`);
          await Promise.all(ids.map((id, index) => add(index % 2 === 0 ? first : second, id)));
          const known = (await listOrganisations(first)).map(({ id }) => id);
          expect(known).toEqual(expect.arrayContaining(ids));
        });

        engine.testConcurrent('releases the session of a failed read', async () => {
          await expect(first.run(broken, {})).rejects.toThrow('test.broken');
          await expect(second.ping()).resolves.toBeUndefined();
        });

        engine.testConcurrent('cancels statements at their deadline', async () => {
          const controller = new AbortController();
          const reason = new ApiError('timeout');
          const attempt = expect(first.run(sleep, { seconds: 30 }, controller.signal)).rejects.toBe(reason);
          const asleep = `select 1 from pg_stat_activity where query like '%pg_sleep%' and state = 'active'
            and datname = current_database() and pid <> pg_backend_pid()`;
          await expect.poll(() => engine.place.query(asleep)).toHaveLength(1);
          controller.abort(reason);
          await attempt;
          // The only session is free again, long before the statement would have ended by itself.
          await expect(second.ping()).resolves.toBeUndefined();
          expect(await engine.place.query(asleep)).toEqual([]);
        });
      },
      'postgres',
    );
  });

  describeEachEngine(
    'a pooler for fewer clients than the pool has connections',
    (engine) => {
      engine.testConcurrent('makes callers wait for the connections that it permits', async () => {
        const pooler = await startPooler(engine.place.url, ['max_client_conn = 4']);
        onTestFinished(() => pooler.stop());
        const options = { ...DEFAULTS.database, prepare: false, pool: 10 };
        const database = await openDatabase({ ...options, url: pooler.through(engine.place.url) });
        const read = () => database.run(sleep, { seconds: 0.01 });
        const change = () => database.transaction((tx) => tx.run(sleep, { seconds: 0.01 }));
        const all = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? read() : change()));
        const outcomes = await Promise.allSettled(all);
        expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
        await database.close();
      });
    },
    'postgres',
  );
});

test.each(['42P05', '26000'])(
  'the code %s of a pooler without prepared statements names the setting',
  (code) => {
    const { message } = statementError('test.prepared', Object.assign(new Error(), { code }));
    expect(message).toBe(`"test.prepared" failed: ${code} (set DATABASE_PREPARE=off for this pooler)`);
  },
);

test('a URL with several hosts becomes one URL for each', async () => {
  const { urlsOf } = await import('../../src/db/postgres/servers.ts');
  expect(urlsOf('postgres://u:p%40x@a:1,b:2/name?sslmode=require')).toEqual([
    'postgres://u:p%40x@a:1/name?sslmode=require',
    'postgres://u:p%40x@b:2/name?sslmode=require',
  ]);
  expect(urlsOf('postgres://localhost/name')).toEqual(['postgres://localhost/name']);
  expect(urlsOf('postgresql://a,b')).toEqual(['postgresql://a', 'postgresql://b']);
});
