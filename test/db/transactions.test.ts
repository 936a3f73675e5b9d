import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { settleAll } from '../../src/core/promises.ts';
import type { Runner, Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/drizzle/index.ts';
import { insertEvent, newestEventId } from '../../src/db/queries/events.ts';
import { orders, transitionOrder } from '../../src/db/queries/orders.ts';
import { listOrganisations } from '../../src/db/queries/organisations.ts';
import { loadRows } from '../../src/db/queries/shared/loading.ts';
import { findUserByEmail, renameUser } from '../../src/db/queries/users.ts';
import { statement } from '../../src/db/statement.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addEmptyOrder } from '../support/fixtures/rows.ts';

const now = new Date('2026-03-01T12:00:00.123Z');

const org = (id: string) => [{ id, name: `The ${id}`, createdAt: now }];
const addOrg = (tx: Transaction, id: string) => loadRows(tx, 'organisations', org(id));
const orgIds = async (db: Runner) => (await listOrganisations(db)).map(({ id }) => id);

const user = (email: string, overrides: object = {}) => ({
  org: 'base',
  email,
  name: 'Somebody',
  role: 'editor' as const,
  createdAt: now,
  updatedAt: now,
  ...overrides,
});

const namesOfUsers = statement<object, readonly { name: string }[]>(
  'test.names',
  ({ orm, tables: { users } }) => orm.select({ name: users.name }).from(users),
);

/** Resolves after a turn of the event loop, so that other tasks could run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

let serial = 0;
function fresh(prefix: string): string {
  serial += 1;
  return `${prefix}-${serial}`;
}

describeEachEngine('a transaction', (engine) => {
  let userId: number;

  beforeEach(async () => {
    if ((await orgIds(engine.database)).includes('base')) return;
    await engine.database.transaction(async (tx) => {
      await addOrg(tx, 'base');
      const [row] = await loadRows(tx, 'users', [user('base@base.test')]);
      userId = row?.id ?? 0;
    });
  });

  const addOrder = () => engine.database.transaction((tx) => addEmptyOrder(tx, { org: 'base', userId }));

  test('commits nothing if one of its last statements could not be sent', async () => {
    const id = fresh('unsent');
    const work = engine.database.transaction((tx) =>
      tx.last(2, () => settleAll([addOrg(tx, id), Promise.reject(new RangeError('Not to be sent.'))])),
    );
    await expect(work).rejects.toThrow('Not to be sent.');
    expect(await orgIds(engine.database)).not.toContain(id);
  });

  test('commits nothing if a statement before the last ones failed', async () => {
    const id = fresh('failed');
    const work = engine.database.transaction(async (tx) => {
      await addOrg(tx, 'base').catch(() => undefined);
      return tx.last(1, () => addOrg(tx, id));
    });
    await expect(work).rejects.toMatchObject({ code: 'conflict' });
    expect(await orgIds(engine.database)).not.toContain(id);
  });

  test('returns the result of the work, with its rows stored', async () => {
    const id = fresh('kept');
    const given = await engine.database.transaction(async (tx) => {
      await addOrg(tx, id);
      return 'given';
    });
    expect(given).toBe('given');
    expect(await orgIds(engine.database)).toContain(id);
  });

  engine.testConcurrent('sees its own rows, and others do not before the commit', async () => {
    const id = fresh('unseen');
    const raw = `select id from organisations where id = '${id}'`;
    await engine.database.transaction(async (tx) => {
      await addOrg(tx, id);
      expect(await orgIds(tx)).toContain(id);
      expect(await engine.place.query(raw)).toEqual([]);
    });
    expect(await engine.place.query(raw)).toEqual([{ id }]);
  });

  test('rolls back when its work throws, and rethrows the error', async () => {
    const id = fresh('undone');
    const error = new Error('changed my mind');
    const attempt = engine.database.transaction(async (tx) => {
      await addOrg(tx, id);
      throw error;
    });
    await expect(attempt).rejects.toBe(error);
    expect(await orgIds(engine.database)).not.toContain(id);
  });

  test('is rolled back when one of its statements failed, even if the work continued', async () => {
    const id = fresh('doomed');
    const attempt = engine.database.transaction(async (tx) => {
      await addOrg(tx, id);
      await addOrg(tx, id).catch(() => 'ignored');
      return 'fine?';
    });
    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(await orgIds(engine.database)).not.toContain(id);
  });

  test('does not nest', async () => {
    const id = fresh('nested');
    const attempt = engine.database.transaction(async () => {
      await engine.database.transaction((tx) => addOrg(tx, id));
    });
    await expect(attempt).rejects.toThrow('transactions do not nest');
    expect(await orgIds(engine.database)).not.toContain(id);
  });

  test('refuses statements outside of it, at any depth of calls', async () => {
    const attempt = engine.database.transaction(async () => {
      await turn();
      await Promise.all([orgIds(engine.database)]);
    });
    await expect(attempt).rejects.toThrow('statements run on it');
    await expect(orgIds(engine.database)).resolves.toContain('base');
  });

  test('accepts no statement after its end', async () => {
    const id = fresh('late');
    let leaked: Transaction | undefined;
    await engine.database.transaction(async (tx) => {
      leaked = tx;
    });
    if (!leaked) throw new Error('The work did not run.');
    await expect(addOrg(leaked, id)).rejects.toThrow('has ended');
    expect(await orgIds(engine.database)).not.toContain(id);
  });

  test('lets work that it started use the database after its end', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let later: Promise<string[]> | undefined;
    await engine.database.transaction(async () => {
      later = ended.then(() => orgIds(engine.database));
    });
    end();
    expect(await later).toContain('base');
  });

  test('runs statements that are started together in sequence', async () => {
    const ids = [fresh('together'), fresh('together'), fresh('together')];
    await engine.database.transaction((tx) => Promise.all(ids.map((id) => addOrg(tx, id))));
    expect(await orgIds(engine.database)).toEqual(expect.arrayContaining(ids));
  });

  test('is required for writing', async () => {
    // The type of `renameUser` requires one too; this tests the check at run time.
    const beside = engine.database as unknown as Transaction;
    const change = { org: 'base', id: userId, name: 'Changed beside', versions: null, now };
    await expect(renameUser(beside, change)).rejects.toThrow();
    expect(await engine.database.run(namesOfUsers, {})).not.toContainEqual({ name: 'Changed beside' });
  });

  test('keeps the asynchronous context of its caller', async () => {
    const requests = new AsyncLocalStorage<number>();
    const numbers = [1, 2, 3, 4, 5];
    const seen = await Promise.all(
      numbers.map((number) =>
        requests.run(number, () =>
          engine.database.transaction(async (tx) => {
            await orgIds(tx);
            return requests.getStore();
          }),
        ),
      ),
    );
    expect(seen).toEqual(numbers);
  });

  test('fails alone among concurrent ones', async () => {
    const ids = Array.from({ length: 12 }, () => fresh('neighbour'));
    const isBad = (index: number) => index % 3 === 1;
    const outcomes = await Promise.allSettled(
      ids.map((id, index) =>
        engine.database.transaction(async (tx) => {
          await addOrg(tx, id);
          await turn();
          if (isBad(index)) throw new Error(`no ${id}`);
          return id;
        }),
      ),
    );
    expect(outcomes).toEqual(
      ids.map((id, index) =>
        isBad(index)
          ? { status: 'rejected', reason: new Error(`no ${id}`) }
          : { status: 'fulfilled', value: id },
      ),
    );
    const present = await orgIds(engine.database);
    expect(ids.filter((id) => present.includes(id))).toEqual(ids.filter((_, index) => !isBad(index)));
  });

  test('resolves after the commit, so that announced rows can be read', async () => {
    const ids = Array.from({ length: 8 }, () => fresh('announced'));
    const readBack = await Promise.all(
      ids.map(async (id) => {
        await engine.database.transaction((tx) => addOrg(tx, id));
        return (await orgIds(engine.database)).includes(id);
      }),
    );
    expect(readBack).toEqual(ids.map(() => true));
  });

  test('succeeds alone when twenty change the same order', async () => {
    const order = await addOrder();
    const before = await newestEventId(engine.database, 'base');
    const moved = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        engine.database.transaction(async (tx) => {
          const status = n % 2 === 0 ? 'cancelled' : 'shipped';
          const row = await transitionOrder(tx, { org: 'base', id: order.id, status, versions: null, now });
          if (!row) return undefined;
          const subject = { subjectType: 'order', subjectId: order.id, actorId: userId, createdAt: now };
          await insertEvent(tx, { org: 'base', type: `order.${status}`, data: {}, ...subject });
          return row;
        }),
      ),
    );
    const winners = moved.filter((row) => row !== undefined);
    expect(winners).toHaveLength(1);
    expect(await orders.find(engine.database, 'base', order.id)).toEqual(winners[0]);
    expect(winners[0]).toMatchObject({ version: 2 });
    const events = await engine.place.query(`select type from events where subject_id = ${order.id}`);
    expect(events).toEqual([{ type: `order.${winners[0]?.status}` }]);
    expect(await newestEventId(engine.database, 'base')).toBeGreaterThan(before);
  });

  describe('refuses a row', () => {
    const refusals: [string, (tx: Transaction) => Promise<unknown>, string][] = [
      ['whose email is taken', (tx) => loadRows(tx, 'users', [user('base@base.test')]), 'conflict'],
      ['whose id is taken', (tx) => addOrg(tx, 'base'), 'conflict'],
      [
        'of an unknown organisation',
        (tx) => loadRows(tx, 'users', [user('x@x.test', { org: 'nowhere' })]),
        'conflict',
      ],
      [
        'with a role that is none',
        (tx) => loadRows(tx, 'users', [user('x@x.test', { role: 'owner' })]),
        'validation_failed',
      ],
      ['with an email in upper case', (tx) => loadRows(tx, 'users', [user('X@x.test')]), 'validation_failed'],
    ];
    for (const [what, work, code] of refusals) {
      test(`${what}: ${code}, with nothing of the engine in the message`, async () => {
        const error: unknown = await engine.database.transaction(work).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ name: 'ApiError', code });
        expect(String(error)).not.toMatch(/sql|constraint|insert|users/i);
        expect(error).toHaveProperty('cause');
        expect(await findUserByEmail(engine.database, 'x@x.test')).toBeUndefined();
      });
    }
  });

  test('reports each statement to the observer by name', async () => {
    const seen: string[] = [];
    // PGlite has one session for all: prepared statements of this database would collide with the suite's.
    const watched = engine.concurrent
      ? await engine.open({ observe: (name) => seen.push(name) })
      : await (await engine.create('migrated')).open({ observe: (name) => seen.push(name) });
    await orgIds(watched);
    await watched.transaction((tx) => orgIds(tx));
    await watched.close();
    expect(seen).toEqual(['organisations.all', 'organisations.all']);
  });

  test('returns an empty list for a statement without rows', async () => {
    const touch = statement<object, unknown>(fresh('test.touch'), ({ orm, tables: { users } }) =>
      orm.update(users).set({ name: sql`${users.name}` }),
    );
    expect(await engine.database.transaction((tx) => tx.run(touch, {}))).toEqual([]);
  });
});

describeEachEngine('closing a database', (engine) => {
  test('waits for running statements, then fails with `unavailable`', async () => {
    const place = engine.concurrent ? engine.place : await engine.create('migrated');
    const database = await place.open();
    const { promise: release, resolve: letGo } = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const work = database.transaction(async (tx) => {
      started.resolve();
      await release;
      await addOrg(tx, 'finished');
    });
    await started.promise;
    let closed = false;
    const closing = database.close().then(() => {
      closed = true;
    });
    await expect(orgIds(database)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
    await expect(database.transaction((tx) => addOrg(tx, 'too-late'))).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(database.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await turn();
    expect(closed).toBe(false);
    letGo();
    await Promise.all([work, closing]);
    expect(closed).toBe(true);
    const reopened = await place.open();
    expect(await orgIds(reopened)).toEqual(['finished']);
    await reopened.close();
  });

  test('may be repeated', async () => {
    const database = await (await engine.create('migrated')).open();
    await database.ping();
    await Promise.all([database.close(), database.close()]);
    await expect(database.close()).resolves.toBeUndefined();
  });
});
