/** Purges beside a process that changes a row which the purge has selected, and their plans. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { purgeCountWriters } from '../../src/db/queries/use-counts.ts';
import '../../src/db/queries/idempotency.ts';
import '../../src/db/queries/invitations.ts';
import '../../src/db/queries/link-tokens.ts';
import '../../src/db/queries/oauth-records.ts';
import '../../src/db/queries/outbox.ts';
import '../../src/db/queries/payment-events.ts';
import '../../src/db/queries/sessions.ts';
import { statements } from '../../src/db/statement.ts';
import { describeEachEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { explainSqlite } from './plans.ts';

const WRITERS = `insert into count_writers (id, batch, written_at)
  values ('ended', 1, '2026-01-01T00:00:00Z'), ('working', 1, '2026-01-01T00:00:00Z')`;

// On SQLite, transactions that write do not overlap.
describeEachEngine(
  'a purge',
  (engine) => {
    engine.testConcurrent('keeps a row that is no longer old when its lock is released', async () => {
      const { database, place } = engine;
      await place.query(WRITERS);
      const other = new pg.Client({ connectionString: place.url });
      await other.connect();
      await other.query(
        `begin; update count_writers set written_at = '2026-08-01T00:00:00Z' where id = 'working'`,
      );
      const before = new Date('2026-07-01T00:00:00Z');
      const purged = database.transaction((tx) => purgeCountWriters(tx, before, 10));
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await waitUntil(async () => (await place.query(waiting)).length === 1, 'the purge to wait');
      await other.query('commit');
      await other.end();
      expect(await purged).toBe(1);
      expect(await place.query('select id from count_writers')).toEqual([{ id: 'working' }]);
    });
  },
  'postgres',
);

const PURGES = [...statements.keys()].filter((name) => /[.]purge/.test(name));

/** The queries for rows that are then deleted one by one. */
const EXPIRED = [...statements.keys()].filter((name) => /[.]expired/.test(name));

describeEachEngine(
  'each batch',
  (engine) => {
    test.each(PURGES)(
      'of %s deletes rows by their keys, and does not search all old rows again',
      async (name) => {
        const [first] = await explainSqlite(engine, name, { before: new Date(0), limit: 100 });
        expect(first).toMatch(/\((rowid|id)=\?\)$/);
      },
    );

    test.each(EXPIRED)('of %s is read by expiry, and not sorted', async (name) => {
      const steps = await explainSqlite(engine, name, { before: new Date(0), limit: 100 });
      expect(steps).toEqual([expect.stringMatching(/\(expires_at<\?\)$/)]);
    });
  },
  'sqlite',
);
