/** Reads that start in one turn of the event loop and share a connection to PostgreSQL. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { sql } from '../../src/db/drizzle/index.ts';
import { openDatabase } from '../../src/db/open.ts';
import { statement } from '../../src/db/statement.ts';
import { describeEachEngine } from '../support/engines.ts';
import { DEFAULTS } from '../support/settings.ts';

/** Returns its parameter, and the connection that it ran on. Waits while an exclusive lock is held. */
const echo = statement<{ n: number }, readonly { n: number; pid: number }[]>(
  'test.shared.echo',
  ({ orm }, p) =>
    orm
      .select({ n: sql<number>`${p.n}::int`, pid: sql<number>`pg_backend_pid()` })
      .from(sql`(select count(*) from organisations) as counted`),
);

const divide = statement<{ n: number }, readonly { quotient: number }[]>('test.shared.divide', ({ orm }, p) =>
  orm.select({ quotient: sql<number>`1 / ${p.n}::int` }).from(sql`(select 1) as one`),
);

const sleep = statement<{ seconds: number }, unknown>('test.shared.sleep', ({ orm }, p) =>
  orm.select({ slept: sql`pg_sleep(${p.seconds})` }).from(sql`(select 1) as one`),
);

const ACME = { org: 'acme', caller: 'user:acme:1' };
const OTHER_CALLER = { org: 'acme', caller: 'user:acme:2' };
const GLOBEX = { org: 'globex', caller: 'user:globex:4' };

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describeEachEngine(
  'reads of one turn',
  (engine) => {
    /** Locks a table that `echo` reads, until the returned function is called. */
    async function lockOrganisations(): Promise<() => Promise<void>> {
      const client = new pg.Client({ connectionString: engine.place.url });
      await client.connect();
      await client.query('begin; lock table organisations in access exclusive mode');
      return () => client.end();
    }

    const waiting = () =>
      engine.place.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );

    engine.testConcurrent('of one caller share connections, a few on each', async () => {
      const database = await engine.open({ pool: 10 });
      const count = 2 * LIMITS.readsTogether;
      const rows = await Promise.all(upTo(count).map((n) => database.run(echo, { n }, undefined, ACME)));
      expect(rows.map(([row]) => row?.n)).toEqual(upTo(count));
      expect(new Set(rows.map(([row]) => row?.pid)).size).toBe(2);
    });

    engine.testConcurrent('of different callers, expensive ones and those of the server do not', async () => {
      const database = await engine.open({ pool: 10 });
      const expensive = { ...ACME, isExpensive: true };
      // Of ten connections, two are for expensive reads.
      const flows = [ACME, OTHER_CALLER, GLOBEX, expensive, expensive, undefined, undefined];
      const rows = await Promise.all(flows.map((flow, n) => database.run(echo, { n }, undefined, flow)));
      expect(new Set(rows.map(([row]) => row?.pid)).size).toBe(flows.length);
    });

    engine.testConcurrent('wait each for itself if no connection is free', async () => {
      const database = await engine.open({ pool: 1 });
      const held = Promise.withResolvers<void>();
      const transaction = database.transaction(() => held.promise);
      const reads = upTo(3).map((n) => database.run(echo, { n }, undefined, ACME));
      expect(database.load().waiting).toBe(3);
      held.resolve();
      expect((await Promise.all(reads)).map(([row]) => row?.n)).toEqual([0, 1, 2]);
      await transaction;
    });

    engine.testConcurrent('fail each by itself', async () => {
      const database = await engine.open({ pool: 1 });
      const results = await Promise.allSettled(
        [1, 0, 1].map((n) => database.run(divide, { n }, undefined, ACME)),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(results[1]).toMatchObject({ reason: { name: 'DatabaseError', code: '22012' } });
      await expect(database.run(divide, { n: 1 })).resolves.toEqual([{ quotient: 1 }]);
    });

    engine.testConcurrent('are aborted each by itself', async () => {
      const database = await engine.open({ pool: 1 });
      const release = await lockOrganisations();
      const first = new AbortController();
      const reads = upTo(3).map((n) => database.run(echo, { n }, n === 0 ? first.signal : undefined, ACME));
      await expect.poll(waiting).toHaveLength(1);
      first.abort(new Error('The first client has gone.'));
      await expect(reads[0]).rejects.toThrow('The first client has gone.');
      await release();
      await expect(Promise.all(reads.slice(1))).resolves.toMatchObject([[{ n: 1 }], [{ n: 2 }]]);
      await expect(database.run(echo, { n: 3 })).resolves.toMatchObject([{ n: 3 }]);
    });

    engine.testConcurrent('are all cancelled when no client waits any more', async () => {
      const database = await engine.open({ pool: 1 });
      const release = await lockOrganisations();
      const clients = upTo(LIMITS.readsTogether).map(() => new AbortController());
      const reads = clients.map(({ signal }, n) => database.run(echo, { n }, signal, ACME));
      await expect.poll(waiting).toHaveLength(1);
      for (const [n, client] of clients.entries()) client.abort(new Error(`Client ${n} has gone.`));
      for (const [n, read] of reads.entries()) await expect(read).rejects.toThrow(`Client ${n} has gone.`);
      // The lock is still held.
      await expect.poll(() => database.load().inUse).toBe(0);
      await release();
      await expect(database.run(echo, { n: 7 })).resolves.toMatchObject([{ n: 7 }]);
    });

    engine.testConcurrent('are cancelled once those whose clients still wait have ended', async () => {
      const database = await engine.open({ pool: 1 });
      const release = await lockOrganisations();
      const client = new AbortController();
      const awaited = database.run(echo, { n: 1 }, undefined, ACME);
      const abandoned = database.run(sleep, { seconds: 600 }, client.signal, ACME);
      await expect.poll(waiting).toHaveLength(1);
      client.abort(new Error('The client has gone.'));
      await expect(abandoned).rejects.toThrow('The client has gone.');
      expect(await waiting()).toHaveLength(1);
      await release();
      await expect(awaited).resolves.toMatchObject([{ n: 1 }]);
      await expect.poll(() => database.load().inUse).toBe(0);
    });

    engine.testConcurrent(
      'are all unavailable if their connection breaks, and the next one is replaced',
      async () => {
        const database = await engine.open({ pool: 1 });
        const release = await lockOrganisations();
        const reads = upTo(3).map((n) => database.run(echo, { n }, undefined, ACME));
        const attempt = Promise.allSettled(reads);
        await expect.poll(waiting).toHaveLength(1);
        await engine.place.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        for (const result of await attempt) {
          expect(result).toMatchObject({
            status: 'rejected',
            reason: { code: 'unavailable', retryAfter: 1 },
          });
        }
        await release();
        await expect(database.run(echo, { n: 7 })).resolves.toMatchObject([{ n: 7 }]);
      },
    );

    test('to an unreachable server are all unavailable', async () => {
      const database = await openDatabase({
        ...DEFAULTS.database,
        url: 'postgres://postgres@127.0.0.1:1/nothing',
      });
      const reads = upTo(3).map((n) => database.run(echo, { n }, undefined, ACME));
      for (const result of await Promise.allSettled(reads)) {
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', retryAfter: 1 } });
      }
      await database.close();
    });
  },
  'postgres',
);
