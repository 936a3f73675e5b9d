/** Both ends of a log: a long distance to the newest event, and deleted events at the oldest. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/policy.ts';
import { createCursors } from '../../src/core/cursors.ts';
import { FairSlots } from '../../src/core/fair-slots.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { purgeEventsBefore } from '../../src/db/queries/log-starts.ts';
import { logPosition } from '../../src/events/log-position.ts';
import { Selection } from '../../src/events/selection.ts';
import type { Services } from '../../src/pipeline/context.ts';
import { createMemoryBudget } from '../../src/rate-limit/budget.ts';
import { Follower } from '../../src/subscriptions/follower.ts';
import type { GroupParts } from '../../src/subscriptions/group.ts';
import { LogFollowers } from '../../src/subscriptions/log-followers.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { membersOf } from '../support/test-doubles.ts';

const catchUps = new FairSlots({ slots: 1, capacity: 100, refusal: () => new Error('full') });

/** A follower that only reads. */
class SilentFollower extends Follower {
  override end(): void {}
  override fallBehind(): void {}
}

const LATER = new Date('2999-01-01T00:00:00Z');

describeEachEngine('a log', (engine) => {
  const app = startApp(engine);
  const cursors = createCursors(() => app.keys.secrets('cursors'));

  /** Opens acme's log, to which nothing is added. Returns a function that lets a person read it from a position to the end. */
  async function openLog(database: OpenDatabase) {
    // The services that catching up needs.
    const budget = createMemoryBudget({ points: 1_000_000, perSecond: 1 });
    const services = { database, cursors, clock: app.clock, budget } as unknown as Services;
    const onFailure = (error: unknown) => {
      throw error;
    };
    const log = await LogFollowers.open({ org: 'acme', services, catchUps, onFailure });
    // A log without an event of this type, which is read because many types are requested.
    const types = Array.from({ length: LIMITS.typesLookedUp + 1 }, (_, index) => `none.${index}`);
    const follow = (principal: Principal, key: string, position: number) => {
      const after = { id: position };
      const selection = new Selection({ org: 'acme', after, filter: { types, subject: null } });
      const parts = { services, onFailure, selection } as unknown as GroupParts;
      const session = { principal, address: '127.0.0.1', end: onFailure };
      return log.follow(key, parts, new SilentFollower(session, 'websocket', 'public', after));
    };
    return { follow, close: () => log.close() };
  }

  /** Followers of one subscription at a position in the log, which read to the end. */
  async function catchUp(position: number, database = engine.database, followers = 1): Promise<void> {
    const { follow, close } = await openLog(database);
    const ada = await principalOf('ada');
    try {
      await Promise.all(Array.from({ length: followers }, () => follow(ada, 'key', position)));
    } finally {
      await close();
    }
  }

  const principalOf = async (name: string) => {
    const [row] = await engine.place.query(`select id from users where email = '${name}@acme.test'`);
    return {
      kind: 'user',
      userId: Number(row?.['id']),
      org: 'acme',
      role: 'admin',
      scopes: new Set(['read:feed'] as const),
      expiresAt: Number.POSITIVE_INFINITY,
    } as const;
  };

  /** Calls back after each statement, with its name. */
  const watched = (onRun: (name: string) => unknown): OpenDatabase => ({
    ...membersOf(engine.database),
    async run(statement, params, signal, flow) {
      const result = await engine.database.run(statement, params, signal, flow);
      await onRun(statement.name);
      return result;
    },
  });

  const addEvents = async () => {
    const values = Array.from({ length: 500 }, () => `('acme', 'order.created', 1, 'order', 1, '{}', NOW)`);
    const now = engine.name === 'sqlite' ? '0' : 'now()';
    await engine.place.query(`insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
      values ${values.join(',').replaceAll('NOW', now)}`);
  };

  test('that is long is read without blocking others', async () => {
    await addEvents();
    let turns = 0;
    let isReading = true;
    const others = (async () => {
      for (; isReading; turns += 1) await turn();
    })();
    await catchUp(0);
    isReading = false;
    await others;
    expect(turns).toBeGreaterThan(500 / LIMITS.logBatch);
  });

  test('that is long is read with three statements per batch', async () => {
    await addEvents();
    const names: string[] = [];
    const database = watched((name) => names.push(name));
    await catchUp(0, database);
    // The last one belongs to the live followers.
    const batches = names.filter((name) => name === 'events.after').length - 1;
    expect(batches).toBeGreaterThanOrEqual(500 / LIMITS.logBatch);
    const opening = ['events.newest', 'logStarts.of'];
    expect(names.length).toBe(opening.length + 3 * batches + 1);
  });

  test.each([
    ['few', 20, 1],
    ['many', LIMITS.catchUpTogether + 1, 2],
  ])('that is long is read once for %s that resume at the same position', async (_, followers, cohorts) => {
    await addEvents();
    const names: string[] = [];
    const database = watched((name) => names.push(name));
    const readings = () => names.filter((name) => name === 'events.newest').length - 1;
    await catchUp(0, database);
    const alone = readings();
    names.length = 0;
    await catchUp(0, database, followers);
    expect(readings()).toBe(cohorts * alone);
  });

  test('that is long is read in the turn of each caller, also together with one that has many streams', async () => {
    await addEvents();
    const { follow, close } = await openLog(engine.database);
    const [ada, ed] = [await principalOf('ada'), await principalOf('ed')];
    let ended = 0;
    const many = Array.from({ length: 20 }, async (_, index) => {
      await follow(ada, `key ${index}`, 0);
      ended += 1;
    });
    await follow(ed, 'key 19', 0);
    // The one at the same positions.
    expect(ended).toBeLessThanOrEqual(1);
    await Promise.all(many);
    await close();
  });

  test.each([
    ['deleted', () => engine.database.transaction((tx) => purgeEventsBefore(tx, LATER, 2 * LIMITS.logBatch))],
    ['lost', () => engine.place.query(`delete from events where org = 'acme' and id > 1`)],
  ])('does not continue after events that were %s while it was read', async (_, remove) => {
    await addEvents();
    let hasRead = false;
    const database = watched(async (name) => {
      if (name !== 'events.after' || hasRead) return;
      hasRead = true;
      await remove();
    });
    await expect(catchUp(0, database)).rejects.toMatchObject({ code: 'resume_expired' });
  });

  test('whose events were all deleted is followed from its end, also by a returning client', async () => {
    await placeOrder(app);
    await engine.database.transaction((tx) => purgeEventsBefore(tx, LATER, 100_000));
    const [row] = await engine.place.query(`select purged_to from log_starts where org = 'acme'`);
    const authorization = `Bearer ${(await app.signIn('ada')).token}`;
    const begin = async (headers: Record<string, string> = {}) => {
      const request = get(`${app.url}/feed`, {
        agent: false,
        headers: { accept: 'text/event-stream', authorization, ...headers },
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      const [value] = await once(response, 'data');
      response.destroy();
      return /^id: (\S+)$/m.exec(String(value))?.[1] ?? '';
    };
    const id = await begin();
    expect(logPosition.open(cursors, 'acme', id).id).toBe(Number(row?.['purged_to']));
    expect(await begin({ 'last-event-id': id })).toBe(id);
  });
});
