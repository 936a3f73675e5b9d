/**
 * A reader that remembers only the last id it has read misses no event, whatever the order in which
 * transactions commit.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Database, Transaction } from '../../src/db/database.ts';
import { eventsAfter, insertEvent } from '../../src/db/queries/events.ts';
import { loadRows } from '../../src/db/queries/shared/loading.ts';
import { describeEachEngine } from '../support/engines.ts';

const WRITERS = 40;
const EACH = 25;
const ORGS = ['acme', 'globex'];

const now = new Date('2026-03-01T12:00:00.123Z');

const write = (tx: Transaction, org: string, data: Record<string, unknown> = {}) =>
  insertEvent(tx, {
    org,
    type: 'order.created',
    actorId: null,
    subjectType: 'order',
    subjectId: 1,
    data,
    createdAt: now,
  });

describeEachEngine('the order of events', (engine) => {
  beforeAll(() =>
    engine.database.transaction(async (tx) => {
      await loadRows(
        tx,
        'organisations',
        ORGS.map((id) => ({ id, name: id, createdAt: now })),
      );
    }),
  );

  engine.testConcurrent('is the order in which they become visible', async () => {
    const writing = await engine.open({ pool: 30 });
    const reading = await engine.open({ pool: 2 });
    let isWriting = true;
    const followers = ORGS.map((org) => follow(reading, org, () => isWriting));
    const written = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => writeSome(writing, ORGS[writer % 2] ?? '', writer)),
    );
    isWriting = false;
    for (const [index, follower] of followers.entries()) {
      const seen = await follower;
      const mine = written.flat().filter(({ org }) => org === ORGS[index]);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      // Events of rolled back transactions are missing, and all others occur once.
      expect(seen).toEqual(mine.map(({ id }) => id).sort((a, b) => a - b));
      expect(seen).toHaveLength((WRITERS * EACH) / 2 - ((WRITERS / 2) * EACH) / 5);
    }
  });

  engine.testConcurrent('does not delay another organisation', async () => {
    const [one, other] = [await engine.open({ pool: 2 }), await engine.open({ pool: 2 })];
    if (engine.name === 'sqlite') return;
    const { written: first, letGo } = await writeAndHold(one, 'acme');
    await other.transaction((tx) => write(tx, 'globex'));
    let isWritten = false;
    const second = other
      .transaction((tx) => write(tx, 'acme'))
      .finally(() => {
        isWritten = true;
      });
    await sleep(50);
    expect(isWritten).toBe(false);
    letGo();
    // Their ids show the order of the commits. Their responses come over two connections, in any order.
    expect(await first).toBeLessThan(await second);
  });

  engine.testConcurrent('holds for events that are written in batches', async () => {
    const [one, other] = [await engine.open({ pool: 2 }), await engine.open({ pool: 2 })];
    const { written: first, letGo } = await writeAndHold(one, 'acme');
    const line = { org: 'acme', type: 'order.created', actorId: null, subjectType: 'order', subjectId: 1 };
    const row = { ...line, data: {}, createdAt: now };
    let areThere = false;
    const many = other
      .transaction((tx) => loadRows(tx, 'events', [row, row, row]))
      .finally(() => {
        areThere = true;
      });
    await sleep(50);
    expect(areThere).toBe(false);
    letGo();
    const ids = [await first, ...(await many).map(({ id }) => id).sort((a, b) => a - b)];
    const seen = await eventsAfter(engine.database, { org: 'acme', fromId: (ids[0] ?? 0) - 1, limit: 10 });
    expect(seen.map(({ id }) => id)).toEqual(ids);
  });

  test('is published after the commit, and never without one', async () => {
    const heard: string[][] = [];
    const end = engine.database.onGrowth((orgs) => heard.push([...orgs]));
    await engine.database.transaction(async (tx) => {
      await write(tx, 'acme');
      await write(tx, 'acme');
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual([['acme']]);
    const failure = new Error('undone');
    const undone = engine.database.transaction(async (tx) => {
      await write(tx, 'acme');
      throw failure;
    });
    await expect(undone).rejects.toBe(failure);
    await engine.database.transaction(async () => undefined);
    expect(heard).toEqual([['acme']]);
    end();
    await engine.database.transaction((tx) => write(tx, 'globex'));
    expect(heard).toEqual([['acme']]);
  });

  test('is committed even if a listener fails, and the other listeners are notified', async () => {
    const failures: unknown[] = [];
    const database = await engine.open({ onListenerFailure: (error) => failures.push(error) });
    const mistake = new Error('an error in a listener');
    const heard: string[] = [];
    database.onGrowth(() => {
      throw mistake;
    });
    database.onGrowth((orgs) => heard.push(...orgs));
    const id = await database.transaction((tx) => write(tx, 'acme'));
    expect(
      (await eventsAfter(database, { org: 'acme', fromId: id - 1, limit: 1 })).map((event) => event.id),
    ).toEqual([id]);
    expect([failures, heard]).toEqual([[mistake], ['acme']]);
  });
});

/** A transaction that has written an event, and commits when it is released. */
async function writeAndHold(database: Database, org: string) {
  const { promise: held, resolve: holds } = Promise.withResolvers<void>();
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
  const written = database.transaction(async (tx) => {
    const id = await write(tx, org);
    holds();
    await end;
    return id;
  });
  await held;
  return { written, letGo };
}

interface Written {
  readonly org: string;
  readonly id: number;
}

/** Every fifth is rolled back, and each waits briefly between its event and its end. */
async function writeSome(database: Database, org: string, writer: number): Promise<Written[]> {
  const written: Written[] = [];
  const undone = new Error('undone');
  for (let turnOf = 0; turnOf < EACH; turnOf += 1) {
    await database
      .transaction(async (tx) => {
        const id = await write(tx, org, { writer });
        for (let wait = (writer + turnOf) % 4; wait > 0; wait -= 1) await turn();
        if (turnOf % 5 === 4) throw undone;
        return id;
      })
      .then(
        (id) => written.push({ org, id }),
        (error: unknown) => expect(error).toBe(undone),
      );
  }
  return written;
}

/** Polls for new events, as a stream does. */
async function follow(database: Database, org: string, goesOn: () => boolean): Promise<number[]> {
  const seen: number[] = [];
  for (;;) {
    const last = !goesOn();
    const rows = await eventsAfter(database, { org, fromId: seen.at(-1) ?? 0, limit: 50 });
    seen.push(...rows.map(({ id }) => id));
    if (last && rows.length === 0) return seen;
    await turn();
  }
}
