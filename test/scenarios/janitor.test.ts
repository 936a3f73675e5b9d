/** The janitor: deletes expired rows in small transactions, and keeps the others. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Janitor } from '../../src/jobs/janitor.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge, postCharge, signedEvent } from '../support/fixtures/charges.ts';
import { DEFAULTS } from '../support/settings.ts';
import { membersOf } from '../support/test-doubles.ts';
import { FAULTS, FaultyGateway } from './faulty-gateway.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describeEachEngine('the janitor', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  const count = async (table: string) =>
    Number((await engine.place.query(`select count(*) as n from ${table}`))[0]?.['n']);

  function janitor(observe: (removed: number) => void = () => {}) {
    const { database } = engine;
    return new Janitor({
      events: DEFAULTS.events,
      clock: app.clock,
      database: {
        ...membersOf(database),
        transaction: async (work) => {
          const result = await database.transaction(work);
          observe(Number(result));
          return result;
        },
      },
      onFailure: (error) => {
        throw error;
      },
    });
  }

  test('deletes idempotency keys after a day, in small transactions', async () => {
    const { database } = engine;
    for (let index = 0; index < 3; index += 1) await makeCharge(app, { key: `old-${index}` });
    const rows = 2 * LIMITS.purgeBatch + 1;
    const [fixed] = await engine.place.query('select * from idempotency_records limit 1');
    const columns = Object.keys(fixed ?? {}).filter((name) => name !== 'id' && name !== 'key');
    await engine.place.query(
      engine.name === 'sqlite'
        ? `insert into idempotency_records (${columns.join()}, key) with recursive c(n) as (select 1 union all select n + 1 from c where n < ${rows}) select ${columns.join()}, 'copy-' || n from c, (select * from idempotency_records limit 1)`
        : `insert into idempotency_records (${columns.join()}, key) select ${columns.join()}, 'copy-' || n from generate_series(1, ${rows}) as c(n), (select * from idempotency_records limit 1) as one`,
    );
    app.clock.advance(DAY - 1);
    app.signOutAll();
    await makeCharge(app, { key: 'young' });
    await janitor().sweep();
    expect(await count('idempotency_records')).toBe(rows + 4);
    app.clock.advance(LIMITS.idempotencyLease + 2);
    const steps: number[] = [];
    await janitor((removed) => steps.push(removed)).sweep();
    expect(await count('idempotency_records')).toBe(1);
    expect(Math.max(...steps)).toBe(LIMITS.purgeBatch);
    expect((await postCharge(app, { key: 'young' })).headers.get('idempotent-replayed')).toBe('true');
    expect(database.engine).toBe(engine.name);
  });

  describe('keeps the key of a charge without an outcome', () => {
    const keyOf = async (key: string) =>
      (await engine.place.query(`select status from idempotency_records where key = '${key}'`)).map(
        ({ status }) => status,
      );
    const movements = async () => (await app.fingerprint()).sandboxPayments.rows;

    /** Creates a charge whose money has moved, without the server knowing the outcome. */
    async function breakOff(): Promise<string> {
      const key = randomUUID();
      app.signOutAll();
      gateway.next(FAULTS['moves the money and returns nonsense']);
      expect((await postCharge(app, { key })).status).toBe(502);
      return key;
    }

    async function sweepAfter(milliseconds: number): Promise<void> {
      app.clock.advance(milliseconds);
      app.signOutAll();
      await janitor().sweep();
    }

    test('so that a retry days later moves no money; the key then lives for another day', async () => {
      const key = await breakOff();
      const before = await movements();
      await sweepAfter(3 * DAY);
      expect(await keyOf(key)).toEqual(['new']);
      const retried = await postCharge(app, { key });
      expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(await movements()).toBe(before);

      await sweepAfter(DAY - 1);
      const replayed = await postCharge(app, { key });
      expect([replayed.status, replayed.text]).toEqual([201, retried.text]);
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      await sweepAfter(LIMITS.idempotencyLease + 2);
      expect(await keyOf(key)).toEqual([]);
      expect(await movements()).toBe(before);
    });

    test('for a month after the last attempt', async () => {
      const key = await breakOff();
      await sweepAfter(20 * DAY);
      gateway.next(FAULTS['is down']);
      expect((await postCharge(app, { key })).status).toBe(503);
      await sweepAfter(LIMITS.unfinishedRecordLifetime);
      expect(await keyOf(key)).toEqual(['new']);
      await sweepAfter(1);
      expect(await keyOf(key)).toEqual([]);
    });
  });

  test('deletes the ids of payment events after a week', async () => {
    const message = signedEvent(app, { type: 'payout.paid', data: {} });
    expect((await app.post('/v1/payment-events', message)).status).toBe(200);
    app.clock.advance(7 * DAY - 1);
    await janitor().sweep();
    expect(await count('payment_events')).toBe(1);
    app.clock.advance(2);
    await janitor().sweep();
    expect(await count('payment_events')).toBe(0);
  });

  test('deletes processes that have reported no uses for a day', async () => {
    app.signOutAll();
    await app.get('/v1/products', { as: 'ada' });
    await app.usage.write();
    app.clock.advance(DAY);
    await janitor().sweep();
    expect(await count('count_writers')).toBe(1);
    app.clock.advance(1);
    await janitor().sweep();
    expect(await count('count_writers')).toBe(0);
  });

  test('removes only ended sessions, with their tokens', async () => {
    app.signOutAll();
    const { token } = await app.signIn('ada');
    expect(token).toBeTypeOf('string');
    app.clock.advance(29 * DAY);
    app.signOutAll();
    const before = await count('sessions');
    await app.signIn('ed');
    app.clock.advance(DAY + 1);
    await janitor().sweep();
    expect(await count('sessions')).toBe(1);
    expect(before).toBeGreaterThan(0);
    expect(await count('refresh_tokens')).toBe(1);
  });

  describe('when it is stopped', () => {
    test('it ends at once, also during the pause between two rounds', async () => {
      let transactions = 0;
      const one = janitor(() => {
        transactions += 1;
      });
      await one.sweep();
      const inOneRound = transactions;
      one.start();
      await expect.poll(() => transactions).toBe(2 * inOneRound);
      await one.stop();
      await one.stop();
      expect(transactions).toBe(2 * inOneRound);
    });

    test('it begins no further transaction', async () => {
      const stopped = Promise.withResolvers<void>();
      let transactions = 0;
      const one = janitor(() => {
        transactions += 1;
        stopped.resolve(one.stop());
      });
      one.start();
      await stopped.promise;
      expect(transactions).toBe(1);
    });
  });
});
