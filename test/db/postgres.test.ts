/** Behaviour of PostgreSQL only: broken connections, unreachable servers, conflicting transactions. */

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { installDemo } from '../../src/cli/demo/install.ts';
import { OWN_WORK } from '../../src/core/fair-queue.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Database, Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/drizzle/index.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { listOrganisations } from '../../src/db/queries/organisations.ts';
import { loadRows } from '../../src/db/queries/shared/loading.ts';
import { renameUser } from '../../src/db/queries/users.ts';
import { statement } from '../../src/db/statement.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { DEFAULTS } from '../support/settings.ts';

const now = new Date('2026-03-01T12:00:00Z');

/** The process id of its backend, which identifies the connection. */
const backend = statement<object, readonly { pid: number }[]>('test.backend', ({ orm }) =>
  orm.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`(select 1) as one`),
);

const sleep = statement<{ seconds: number }, unknown>('test.sleep', ({ orm }, p) =>
  orm.select({ slept: sql`pg_sleep(${p.seconds})` }).from(sql`(select 1) as one`),
);

const setting = statement<{ name: string; value: string }, unknown>('test.setting', ({ orm }, p) =>
  orm.select({ set: sql`set_config(${p.name}, ${p.value}, true)` }).from(sql`(select 1) as one`),
);

const collide = statement<object, unknown>('test.collide', ({ orm }) =>
  orm.select({ never: sql`collide()` }).from(sql`(select 1) as one`),
);

const current = (name: string) => sql<string>`current_setting(${sql.raw(`'${name}'`)})`;

const bounds = statement<object, readonly Record<string, string>[]>('test.bounds', ({ orm }) =>
  orm
    .select({
      statement: current('statement_timeout'),
      idle: current('idle_in_transaction_session_timeout'),
      readOnly: current('default_transaction_read_only'),
      zone: current('timezone'),
    })
    .from(sql`(select 1) as one`),
);

async function pidOf(runner: Pick<Database, 'run'>): Promise<number> {
  const [row] = await runner.run(backend, {});
  if (!row) throw new Error('pg_backend_pid() gave no row.');
  return row.pid;
}

const terminate = (engine: TestEngine, pid: number) =>
  engine.place.query('select pg_terminate_backend($1, 5000)', [pid]);

const unavailable = { name: 'ApiError', code: 'unavailable', retryAfter: 1 };

describeEachEngine(
  'a broken connection',
  (engine) => {
    engine.testConcurrent('is replaced without an error if it was idle', async () => {
      const database = await engine.open({ pool: 1 });
      const before = await pidOf(database);
      await terminate(engine, before);
      // The driver detects it when it reads the socket, after at most a few turns of the event loop.
      await expect.poll(() => pidOf(database).catch(() => before)).not.toBe(before);
      await expect(listOrganisations(database)).resolves.toEqual([]);
    });

    engine.testConcurrent(
      'under a statement returns `unavailable`, and the next statement succeeds',
      async () => {
        const database = await engine.open({ pool: 1 });
        const pid = await pidOf(database);
        const attempt = expect(database.run(sleep, { seconds: 30 })).rejects.toMatchObject(unavailable);
        await expect
          .poll(() =>
            engine.place.query(
              `select 1 from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`,
            ),
          )
          .toHaveLength(1);
        await terminate(engine, pid);
        await attempt;
        expect(await pidOf(database)).not.toBe(pid);
      },
    );

    engine.testConcurrent('under a transaction rolls it back, and frees its place in the pool', async () => {
      const database = await engine.open({ pool: 2 });
      for (let round = 0; round < 3; round += 1) {
        const attempt = database.transaction(async (tx) => {
          await loadRows(tx, 'organisations', [{ id: 'lost', name: 'Lost', createdAt: now }]);
          await terminate(engine, await pidOf(tx));
          return listOrganisations(tx);
        });
        await expect(attempt).rejects.toMatchObject(unavailable);
      }
      expect(await listOrganisations(database)).toEqual([]);
      await expect(Promise.all([database.ping(), database.ping(), database.ping()])).resolves.toBeDefined();
    });

    engine.testConcurrent('between two statements of a transaction does not end the process', async () => {
      const database = await engine.open({ pool: 1 });
      const attempt = database.transaction(async (tx) => {
        const pid = await pidOf(tx);
        await terminate(engine, pid);
        await expect
          .poll(() => engine.place.query(`select 1 from pg_stat_activity where pid = ${pid}`))
          .toHaveLength(0);
      });
      await expect(attempt).rejects.toMatchObject(unavailable);
      await expect(database.ping()).resolves.toBeUndefined();
    });

    /** Opens a database with the account of a role that may have so many connections, and more in its pool. */
    async function openLimited(connections: number) {
      const role = `few_${randomUUID().replaceAll('-', '')}`;
      const setLimit = (limit: number) => engine.place.query(`alter role ${role} connection limit ${limit}`);
      await engine.place.query(`create role ${role} login password 'few'`);
      await setLimit(connections);
      const url = new URL(engine.place.url);
      Object.assign(url, { username: role, password: 'few' });
      const database = await openDatabase({ ...DEFAULTS.database, url: url.href, pool: 10 });
      onTestFinished(async () => {
        await database.close();
        await engine.place.query(`drop role ${role}`);
      });
      return { database, setLimit };
    }

    engine.testConcurrent(
      'are fewer than configured if the server permits no more: callers wait for those',
      async () => {
        const { database, setLimit } = await openLimited(2);
        // Callers wait for seconds only, in which a busy machine may not run all of them.
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        onTestFinished(() => void vi.useRealTimers());
        const pids = await Promise.all(
          Array.from({ length: 40 }, () =>
            database.transaction(async (tx) => {
              await tx.run(sleep, { seconds: 0.01 });
              return pidOf(tx);
            }),
          ),
        );
        vi.useRealTimers();
        expect(new Set(pids).size).toBeLessThanOrEqual(2);
        await setLimit(0);
        for (const pid of new Set(pids)) await terminate(engine, pid);
        // Without any connection of its own there is nothing to wait for.
        await expect.poll(() => pidOf(database).catch((error) => error)).toMatchObject(unavailable);
      },
    );

    for (const [title, pause] of [
      ['at once', 0],
      ['also when further ones are tried again', LIMITS.fullServerPause],
    ] as const) {
      engine.testConcurrent(
        `leave one for others than expensive queries if they are only two, ${title}`,
        async () => {
          const { database } = await openLimited(2);
          vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
          onTestFinished(() => void vi.useRealTimers());
          const over = Promise.withResolvers<void>();
          onTestFinished(() => over.resolve());
          let expensive = 0;
          const hold = async (tx: Transaction) => {
            expensive += 1;
            await pidOf(tx);
            await over.promise;
          };
          // One more than the server permits.
          await Promise.all(Array.from({ length: 3 }, () => database.transaction(pidOf)));
          vi.advanceTimersByTime(pause);
          const flow = { ...OWN_WORK, isExpensive: true };
          const held = [1, 2].map(() => database.transaction(hold, undefined, flow));
          await expect(database.transaction(pidOf)).resolves.toBeDefined();
          expect(expensive).toBe(1);
          over.resolve();
          await Promise.all(held);
        },
      );
    }

    test('to an unreachable server returns `unavailable`', async () => {
      const database = await openDatabase({
        ...DEFAULTS.database,
        url: 'postgres://postgres@127.0.0.1:1/nothing',
      });
      await expect(database.ping()).rejects.toMatchObject(unavailable);
      await expect(listOrganisations(database)).rejects.toMatchObject(unavailable);
      await expect(database.transaction((tx) => listOrganisations(tx))).rejects.toMatchObject(unavailable);
      await database.close();
    });
  },
  'postgres',
);

describeEachEngine(
  'conflicting transactions',
  (engine) => {
    beforeAll(async () => {
      await installDemo(engine.database, async (password) => password);
      await engine.place.query(`create function collide() returns int language plpgsql as
      $$ begin raise exception 'collided' using errcode = 'serialization_failure'; end $$`);
    });

    const rename = (tx: Transaction, id: number, name: string) =>
      renameUser(tx, { org: 'acme', id, name, versions: null, now });

    test('are retried after a serialization failure, without traces of the first attempt', async () => {
      let runs = 0;
      const attempt = engine.database.transaction(async (tx) => {
        runs += 1;
        const row = await rename(tx, 1, `Ada ${runs}`);
        if (runs === 1) await tx.run(collide, {});
        return row;
      });
      await expect(attempt).resolves.toMatchObject({ name: 'Ada 2', version: 2 });
      expect(runs).toBe(2);
    });

    test('fail after three attempts', async () => {
      let runs = 0;
      const attempt = engine.database.transaction(async (tx) => {
        runs += 1;
        await tx.run(collide, {});
      });
      await expect(attempt).rejects.toMatchObject(unavailable);
      expect(runs).toBe(3);
    });

    engine.testConcurrent('both succeed after a deadlock', async () => {
      let runs = 0;
      const bothHold = Promise.withResolvers<void>();
      const swap = (first: number, second: number, name: string) =>
        engine.database.transaction(async (tx) => {
          runs += 1;
          await rename(tx, first, name);
          if (runs === 2) bothHold.resolve();
          await bothHold.promise;
          await rename(tx, second, name);
        });
      await Promise.all([swap(2, 3, 'one'), swap(3, 2, 'two')]);
      // The transaction that was rolled back may conflict again.
      expect(runs).toBeGreaterThanOrEqual(3);
      const names = await engine.place.query('select name from users where id in (2, 3)');
      expect(names[0]).toEqual(names[1]);
    });

    engine.testConcurrent('have a timeout for each statement and for idle time', async () => {
      const settings = await engine.database.run(bounds, {});
      expect(settings).toEqual([{ statement: '10s', idle: '10s', readOnly: 'on', zone: 'UTC' }]);
    });

    engine.testConcurrent('fail with timeout if they take too long', async () => {
      const attempt = engine.database.transaction(async (tx) => {
        await tx.run(setting, { name: 'statement_timeout', value: '50ms' });
        await tx.run(sleep, { seconds: 30 });
      });
      await expect(attempt).rejects.toMatchObject({ name: 'ApiError', code: 'timeout' });
      await expect(engine.database.ping()).resolves.toBeUndefined();
    });
  },
  'postgres',
);

describeEachEngine(
  'an up-to-date database',
  (engine) => {
    engine.testConcurrent('needs no migration, so a server starts while it is read-only', async () => {
      const place = await engine.create('migrated');
      const name = new URL(place.url).pathname.slice(1);
      // Hosted servers do so when their disk is almost full. A user without the right to create schemas is refused in the same way.
      await place.query(`alter database ${name} set default_transaction_read_only = on`);
      await expect(migrate(place.url)).resolves.toBeUndefined();
    });
  },
  'postgres',
);
