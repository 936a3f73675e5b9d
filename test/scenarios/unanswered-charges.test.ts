/** Charges whose money moved before the server received the response. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type AbortSignalLike, onAbort } from '../../src/core/deadline.ts';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { Janitor } from '../../src/jobs/janitor.ts';
import type { Gateway } from '../../src/payments/gateway.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { CHARGE, makeCharge, postCharge } from '../support/fixtures/charges.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import type { Charge } from '../support/response-bodies.ts';
import { DEFAULTS } from '../support/settings.ts';
import { membersOf } from '../support/test-doubles.ts';
import { FaultyGateway } from './faulty-gateway.ts';

const DAY = 24 * 3_600_000;

/** A gateway that charges once per key; its responses are lost while `isLost` is set. */
function forgetfulGateway() {
  const taken = new Set<string>();
  const state = { taken, isLost: false, meanwhile: async () => {} };
  const gateway: Gateway = {
    async charge({ key }) {
      taken.add(key);
      await state.meanwhile();
      if (state.isLost) throw new ApiError('payment_gateway_unavailable');
      return { status: 'succeeded', paymentId: `pay_${key}` };
    },
    async recover() {
      throw new ApiError('payment_gateway_unavailable');
    },
    async refund() {
      return { status: 'succeeded' };
    },
  };
  return { gateway, state };
}

interface Point {
  /** Called once, after the request's own transaction commits and before the request continues. */
  committed: ((ending: AbortSignalLike) => Promise<void>) | undefined;
  /** Whether the next transaction fails because the database is unavailable. */
  isAway: boolean;
}

/** A database with a hook at a point of a charge. */
function pausingDatabase() {
  const point: Point = { committed: undefined, isAway: false };
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    async transaction(work, signal) {
      if (point.isAway) {
        point.isAway = false;
        throw new ApiError('unavailable', { retryAfter: 1 });
      }
      const result = await database.transaction(work, signal);
      const { committed } = point;
      point.committed = undefined;
      if (signal) await committed?.(signal);
      return result;
    },
  });
  return { around, point };
}

describeEachEngine('a charge whose response was lost', (engine) => {
  const { gateway, state } = forgetfulGateway();
  const { around, point } = pausingDatabase();
  const app = startApp(engine, { gateway, around });

  afterEach(() => {
    state.isLost = false;
  });

  test.each(['cancelled', 'deleted'])('completes although its order was %s meanwhile', async (change) => {
    const order = await placeOrder(app);
    const path = `/v1/orders/${order.id}`;
    const key = randomUUID();
    const body = { amount: { value: 1, currency: order.currency }, source: 'tok_visa', order_id: order.id };
    const before = state.taken.size;
    state.isLost = true;
    const lost = await postCharge<ErrorBody>(app, { key, body });
    expect([lost.status, lost.body.error.code]).toEqual([503, 'payment_gateway_unavailable']);
    await (change === 'deleted'
      ? app.delete(path, { as: 'ada' })
      : app.patch(path, { as: 'ada', body: { status: 'cancelled' } }));
    state.isLost = false;
    const retried = await postCharge<Charge>(app, { key, body });
    expect([retried.status, retried.body.status]).toEqual([201, 'succeeded']);
    expect(state.taken.size).toBe(before + 1);
  });

  test('is not repeated when its key expires during a retry', async () => {
    const key = randomUUID();
    const before = state.taken.size;
    state.isLost = true;
    await postCharge(app, { key });
    state.isLost = false;
    // The last moment at which the key is valid; the janitor runs while the gateway works.
    app.clock.advance(LIMITS.unfinishedRecordLifetime - 1);
    app.signOutAll();
    state.meanwhile = async () => {
      app.clock.advance(1000);
      await new Janitor({
        events: DEFAULTS.events,
        database: engine.database,
        clock: app.clock,
        onFailure: () => {},
      }).sweep();
    };
    const retried = await postCharge<Charge>(app, { key });
    state.meanwhile = async () => {};
    expect(retried.status).toBe(201);
    expect(state.taken.size).toBe(before + 1);
  });

  test('continues at once after a short outage of the database', async () => {
    const key = randomUUID();
    const before = state.taken.size;
    state.meanwhile = async () => {
      point.isAway = true;
    };
    const lost = await postCharge<ErrorBody>(app, { key });
    state.meanwhile = async () => {};
    expect([lost.status, lost.body.error.code]).toEqual([503, 'unavailable']);
    // The clock stands still: the retry does not wait for the end of a lease.
    expect((await postCharge(app, { key })).status).toBe(201);
    expect(state.taken.size).toBe(before + 1);
  });

  test('is recognised after any number of key rotations', async () => {
    const key = randomUUID();
    const before = state.taken.size;
    state.isLost = true;
    // Twice as long as a record is kept after one attempt: each attempt restarts that time.
    for (let round = 0; round < 2; round += 1) {
      const lost = await postCharge<ErrorBody>(app, { key });
      expect([lost.status, lost.body.error.code]).toEqual([503, 'payment_gateway_unavailable']);
      for (let week = 0; week < 4; week += 1) {
        await app.rotateKeys();
        app.clock.advance(7 * DAY);
      }
      app.signOutAll();
    }
    state.isLost = false;
    expect((await postCharge(app, { key })).status).toBe(201);
    expect(state.taken.size).toBe(before + 1);
    const other = { ...CHARGE, source: 'tok_amex' };
    expect((await postCharge(app, { key, body: other })).status).toBe(422);
  });

  describe('completes although its client disconnected between the record and the gateway:', () => {
    /** Posts with a key, and disconnects as soon as the record exists. */
    async function postAndLeave(path: string, key: string, body: object): Promise<void> {
      const { token } = await app.signIn('ada');
      const leaving = new AbortController();
      const left = Promise.withResolvers<void>();
      point.committed = async (ending) => {
        leaving.abort();
        await new Promise<void>((resolve) => onAbort(ending, resolve));
        left.resolve();
      };
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      };
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal: leaving.signal };
      await expect(fetch(`${app.url}${path}`, request)).rejects.toThrow('aborted');
      await left.promise;
    }

    test('a charge', async () => {
      const key = randomUUID();
      const before = state.taken.size;
      await postAndLeave('/v2/charges', key, CHARGE);
      await expect.poll(async () => (await postCharge(app, { key })).status).toBe(201);
      expect(state.taken.size).toBe(before + 1);
    });

    test('a refund', async () => {
      const { id } = await makeCharge(app);
      const key = randomUUID();
      const path = `/v2/charges/${id}/refunds`;
      await postAndLeave(path, key, {});
      const again = () => app.post<Charge>(path, { as: 'ada', headers: { 'idempotency-key': key } });
      await expect.poll(async () => (await again()).status).toBe(201);
      expect((await again()).body.status).toBe('refunded');
    });
  });

  test('is recorded although its client has disconnected', async () => {
    const key = randomUUID();
    const { token } = await app.signIn('ada');
    const leaving = new AbortController();
    const atGateway = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    state.meanwhile = () => {
      atGateway.resolve();
      return goOn.promise;
    };
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const body = JSON.stringify(CHARGE);
    const request = fetch(`${app.url}/v2/charges`, { method: 'POST', headers, body, signal: leaving.signal });
    const gone = expect(request).rejects.toThrow('aborted');
    await atGateway.promise;
    leaving.abort();
    await gone;
    // The server detects it later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    goOn.resolve();
    state.meanwhile = async () => {};
    await expect.poll(async () => (await postCharge(app, { key })).status).toBe(201);
    const again = await postCharge<Charge>(app, { key });
    expect([again.body.status, again.headers.get('idempotent-replayed')]).toEqual(['succeeded', 'true']);
    expect(
      (await app.events()).filter(
        ({ type, subjectId }) => type === 'charge.succeeded' && subjectId === again.body.id,
      ),
    ).toHaveLength(1);
  });
});

describeEachEngine('a stopping server', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  test('waits for a charge at the gateway, although its client has disconnected', async () => {
    const { token } = await app.signIn('ada');
    const reached = gateway.holdCharge();
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = fetch(`${app.url}/v2/charges`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify(CHARGE),
      signal: leaving.signal,
    });
    const held = await reached;
    leaving.abort();
    await expect(request).rejects.toThrow('aborted');
    const statuses = async () => engine.place.query('select status from charges');
    const stopped = app.stop();
    expect(await Promise.race([stopped, sleep(100, 'waits')])).toBe('waits');
    expect(await statuses()).toEqual([{ status: 'pending' }]);
    held.go();
    await stopped;
    expect(await statuses()).toEqual([{ status: 'succeeded' }]);
  });
});
