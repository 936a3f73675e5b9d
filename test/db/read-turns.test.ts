/**
 * The reads of SQLite in one turn of the event loop are limited: an operation with many statements yields to
 * timers, sockets and other operations, and can be aborted between two statements. Time is counted in
 * statements here, each of which advances the database's clock by a millisecond.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { noteStart } from '../../src/core/turn.ts';
import { BoundDatabase } from '../../src/db/bound.ts';
import type { Database } from '../../src/db/database.ts';
import { listOrganisations } from '../../src/db/queries/organisations.ts';
import { describeEachEngine } from '../support/engines.ts';

/** Resolves once all microtasks have run, in the same turn. */
const microtasks = () => new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));

/** The statements of one operation: ten turns of them. */
const STATEMENTS = 10 * LIMITS.readTurn;

describeEachEngine(
  'reads of a long operation',
  (engine) => {
    let statements = 0;
    const open = () =>
      engine.open({
        observe: () => {
          statements += 1;
        },
        time: () => statements,
      });

    const readAll = async (database: Database, each: () => void = () => {}) => {
      for (let n = 0; n < STATEMENTS; n += 1) {
        await listOrganisations(database);
        each();
      }
    };

    test('yield after a limited number of statements', async () => {
      const database = await open();
      let sinceTurn = 0;
      let most = 0;
      let over = false;
      const work = readAll(database, () => {
        sinceTurn += 1;
        most = Math.max(most, sinceTurn);
      }).finally(() => {
        over = true;
      });
      let turns = 0;
      while (!over) {
        await turn();
        turns += 1;
        sinceTurn = 0;
      }
      await work;
      expect(turns).toBeGreaterThanOrEqual(STATEMENTS / (LIMITS.readTurn + 3));
      // The limit is exceeded by the statement that reached it, and by one that waited.
      expect(most).toBeLessThanOrEqual(2 * (LIMITS.readTurn + 2));
    });

    test('share turns with other operations in order of arrival', async () => {
      const database = await open();
      const order: string[] = [];
      const one = readAll(database, () => order.push('one'));
      const other = readAll(database, () => order.push('other'));
      await Promise.all([one, other]);
      expect(order).toHaveLength(2 * STATEMENTS);
      // Neither waits until the other has finished.
      expect(order.indexOf('other')).toBeLessThan(STATEMENTS / 2);
      expect(order.lastIndexOf('one')).toBeGreaterThan(STATEMENTS);
    });

    test('do not delay an operation that starts meanwhile', async () => {
      const database = await open();
      /** Whether a statement runs before the next turn. */
      const runsNow = async () => {
        let hasRun = false;
        void listOrganisations(database).then(() => {
          hasRun = true;
        });
        await microtasks();
        return hasRun;
      };
      const long = readAll(database);
      await microtasks();
      expect(await runsNow()).toBe(false);
      noteStart();
      expect(await runsNow()).toBe(true);
      await long;
    });

    test('stop between two statements when their client has disconnected', async () => {
      const database = await open();
      const reason = new ApiError('timeout');
      const controller = new AbortController();
      let read = 0;
      const work = readAll(new BoundDatabase(database, controller.signal), () => {
        read += 1;
      });
      setImmediate(() => controller.abort(reason));
      await expect(work).rejects.toBe(reason);
      expect(read).toBeLessThanOrEqual(3 * LIMITS.readTurn);
      expect(read).toBeLessThan(STATEMENTS / 2);
    });

    test('all finish before the database is closed', async () => {
      const database = await open();
      const work = Promise.all(Array.from({ length: STATEMENTS }, () => listOrganisations(database)));
      await database.close();
      await expect(work).resolves.toHaveLength(STATEMENTS);
    });

    test('fail independently', async () => {
      const database = await open();
      const broken = new BoundDatabase(database, AbortSignal.abort(new ApiError('timeout')));
      const outcomes = await Promise.allSettled(
        Array.from({ length: STATEMENTS }, (_, n) => listOrganisations(n % 2 ? broken : database)),
      );
      const failed = outcomes.filter(({ status }) => status === 'rejected');
      expect(failed).toHaveLength(STATEMENTS / 2);
    });
  },
  'sqlite',
);
