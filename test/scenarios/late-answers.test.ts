/** Gateway responses that arrive after the client was asked to retry, and clients that never retry. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Reconciler } from '../../src/jobs/reconciler.ts';
import { NOT_MADE as NOT_MADE_CODE } from '../../src/payments/gateway.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { CHARGE, makeCharge, postCharge, signedEvent } from '../support/fixtures/charges.ts';
import type { Charge } from '../support/response-bodies.ts';
import { DEFAULTS } from '../support/settings.ts';
import { DOORS, type Trace, tracesAfter } from './charge-doors.ts';
import { FAULTS, type Fault, FaultyGateway, impatiently } from './faulty-gateway.ts';

const TAKEN: Trace = {
  status: 'succeeded',
  version: 2,
  taken: 1,
  returned: 0,
  events: ['charge.succeeded'],
};
const RETURNED: Trace = {
  status: 'refunded',
  version: 3,
  taken: 1,
  returned: 1,
  events: ['charge.succeeded', 'charge.refunded'],
};
const NOT_MADE: Trace = { status: 'failed', version: 2, taken: 0, returned: 0, events: ['charge.failed'] };

/** Holds the next request until the returned function is called, then runs it, or lets it have this fault. */
function holdNext(gateway: FaultyGateway) {
  const { promise, resolve } = Promise.withResolvers<Fault>();
  gateway.next(async (move) => (await promise)(move));
  return (fault: Fault = (move) => move()) => resolve(fault);
}

/** Only for a refund, which can have this result. */
const refundFails: Fault = async <T>() => ({ status: 'failed' }) as T;

// The deadline does not depend on the engine.
describeOnSqlite('a deadline shorter than the time for the gateway', (engine) => {
  const app = startApp(engine, { operations: { deadline: 1000 } });

  test('leaves time for the response', () => {
    expect(app.services.gatewayTimeout).toBe(800);
  });
});

describeEachEngine('a gateway that responds late', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  let newest = 0;
  beforeEach(async () => {
    app.signOutAll();
    const [row] = await engine.place.query('select coalesce(max(id), 0) as id from charges');
    newest = Number(row?.['id']);
  });
  const traces = () => tracesAfter(engine, app, newest);
  const reconcile = () => {
    app.clock.advance(LIMITS.reconcileAfter);
    return app.reconciler.sweep();
  };

  test('never, and a payment event reports a declined charge as one that was not made: a retry is declined, without another charge', async () => {
    const key = randomUUID();
    const charge = () => postCharge<ErrorBody>(app, { key, body: { ...CHARGE, source: 'tok_declined' } });
    gateway.next(FAULTS['moves the money and returns nonsense']);
    await charge();
    const [row] = await engine.place.query('select max(id) as id from charges');
    const data = { charge_id: Number(row?.['id']), failure_code: NOT_MADE_CODE };
    await app.post('/v1/payment-events', signedEvent(app, { type: 'charge.failed', data }));
    await reconcile();
    await expect.poll(async () => (await charge()).body.error.code).toBe('card_declined');
    expect(await traces()).toEqual([NOT_MADE]);
  });

  describe.each(Object.entries(DOORS))('to a request through %s', (_name, door) => {
    test('settles the charge although its client does not retry, and stores the outcome under the key', async () => {
      const key = randomUUID();
      const respond = holdNext(gateway);
      expect(await impatiently(app, () => door.charge(app, key))).toMatchObject({
        code: 'payment_gateway_unavailable',
      });
      expect(await traces()).toMatchObject([{ status: 'pending' }]);
      respond();
      await expect.poll(traces).toEqual([TAKEN]);
      const calls = gateway.calls;
      const again = await door.charge(app, key);
      expect(again).toMatchObject({ code: undefined, replayed: true, charge: { status: 'succeeded' } });
      expect(gateway.calls, 'the gateway is not called again').toBe(calls);
    });

    test('with success after a payment event reported failure: the moved money decides', async () => {
      const before = newest;
      const respond = holdNext(gateway);
      const charging = door.charge(app, randomUUID());
      await expect.poll(traces).toMatchObject([{ status: 'pending' }]);
      const [row] = await engine.place.query(`select max(id) as id from charges where id > ${before}`);
      const data = { charge_id: Number(row?.['id']), failure_code: 'lost_card' };
      const event = await app.post('/v1/payment-events', signedEvent(app, { type: 'charge.failed', data }));
      expect(event.body).toEqual({ applied: true });
      expect(await traces()).toMatchObject([{ status: 'failed' }]);
      respond();
      await charging;
      const events = ['charge.failed', 'charge.succeeded'];
      await expect.poll(traces).toEqual([{ ...TAKEN, version: 3, events }]);
    });

    test('never, and a payment event reports failure although the money moved: the gateway is queried', async () => {
      gateway.next(FAULTS['moves the money and returns nonsense']);
      await door.charge(app, randomUUID());
      const [row] = await engine.place.query('select max(id) as id from charges');
      const data = { charge_id: Number(row?.['id']) };
      await app.post('/v1/payment-events', signedEvent(app, { type: 'charge.failed', data }));
      await reconcile();
      const events = ['charge.failed', 'charge.succeeded'];
      expect(await traces()).toEqual([{ ...TAKEN, version: 3, events }]);
    });

    // The second code is what the reconciler writes for a charge that was not made, whose key may be used for another charge.
    test.each(['card_declined', NOT_MADE_CODE])(
      'never, and a payment event reports the failure %s although the money moved: a retry asks the gateway',
      async (code) => {
        const key = randomUUID();
        gateway.next(FAULTS['moves the money and returns nonsense']);
        await door.charge(app, key);
        const [row] = await engine.place.query('select max(id) as id from charges');
        const data = { charge_id: Number(row?.['id']), failure_code: code };
        await app.post('/v1/payment-events', signedEvent(app, { type: 'charge.failed', data }));
        gateway.next(FAULTS['is down']);
        expect(await door.charge(app, key)).toMatchObject({ code: 'payment_gateway_unavailable' });
        await expect.poll(async () => (await door.charge(app, key)).charge?.status).toBe('succeeded');
        const events = ['charge.failed', 'charge.succeeded'];
        expect(await traces()).toEqual([{ ...TAKEN, version: 3, events }]);
      },
    );

    describe('after a payment event reported success without the id of the payment: it becomes refundable', () => {
      const tellSuccess = async () => {
        const [row] = await engine.place.query('select max(id) as id from charges');
        const id = Number(row?.['id']);
        const event = { type: 'charge.succeeded', data: { charge_id: id } };
        expect((await app.post('/v1/payment-events', signedEvent(app, event))).body).toEqual({
          applied: true,
        });
        expect(await door.refund(app, id, randomUUID())).toMatchObject({ code: 'invalid_transition' });
        return id;
      };
      const expectRefundable = async (id: number) => {
        const key = randomUUID();
        await expect.poll(async () => (await door.refund(app, id, key)).charge?.status).toBe('refunded');
        expect(await traces()).toEqual([RETURNED]);
      };

      test('by the response', async () => {
        const held = gateway.holdCharge();
        const charging = door.charge(app, randomUUID());
        const { go } = await held;
        const id = await tellSuccess();
        go();
        await charging;
        await expect
          .poll(() =>
            engine.place.query(`select payment_id is null as unknown from charges where id = ${id}`),
          )
          .toSatisfy(([row]: readonly Record<string, unknown>[]) => !row?.['unknown']);
        await expectRefundable(id);
      });

      test('by the reconciler', async () => {
        gateway.next(FAULTS['moves the money and returns nonsense']);
        await door.charge(app, randomUUID());
        const id = await tellSuccess();
        await reconcile();
        await expectRefundable(id);
      });
    });

    test('settles the refund although its client does not retry', async () => {
      const { id } = await makeCharge(app);
      const respond = holdNext(gateway);
      const key = randomUUID();
      const refund = () => door.refund(app, id, key);
      expect(await impatiently(app, refund)).toMatchObject({ code: 'payment_gateway_unavailable' });
      respond();
      await expect.poll(traces).toEqual([RETURNED]);
      expect(await door.refund(app, id, key)).toMatchObject({
        replayed: true,
        charge: { status: 'refunded' },
      });
    });

    describe('to a refund of all that is left, which a message reports before:', () => {
      /** Begins a refund of what is left after a part of 5 USD. @returns a function that lets the gateway respond to it. */
      async function refundAfterPart() {
        const { id } = await makeCharge(app);
        const part = { value: 5, currency: 'USD' };
        await expect
          .poll(async () => (await door.refund(app, id, `part-${id}`, part)).charge?.status)
          .toBe('succeeded');
        const respond = holdNext(gateway);
        // A server waits for the response before it stops.
        onTestFinished(() => respond());
        const key = randomUUID();
        const refund = () => door.refund(app, id, key);
        expect(await impatiently(app, refund)).toMatchObject({ code: 'payment_gateway_unavailable' });
        const [row] = await engine.place.query(`select max(id) as id from refunds where charge_id = ${id}`);
        return { id, key, respond, refundId: Number(row?.['id']) };
      }
      const tell = (id: number) =>
        app.post(
          '/v1/payment-events',
          signedEvent(app, { type: 'charge.refunded', data: { charge_id: id } }),
        );
      const refundEvents = async (id: number) =>
        (await app.events())
          .filter((event) => event.subjectType === 'charge' && event.subjectId === id)
          .filter(({ type }) => type === 'charge.refunded');

      test('the event has the refund and its person', async () => {
        const { id, respond, refundId } = await refundAfterPart();
        expect((await tell(id)).body).toEqual({ applied: false });
        respond();
        await expect.poll(() => refundEvents(id)).toHaveLength(1);
        expect((await tell(id)).body).toEqual({ applied: false });
        expect(await refundEvents(id)).toMatchObject([{ actorId: 1, data: { refund: { id: refundId } } }]);
        expect(await traces()).toMatchObject([{ status: 'refunded', version: 4 }]);
      });

      test('the charge is not refunded if the refund has failed after all', async () => {
        const { id, key, respond } = await refundAfterPart();
        await tell(id);
        respond(refundFails);
        await expect.poll(async () => (await door.refund(app, id, key)).charge?.status).toBe('refunded');
        expect(await refundEvents(id)).toHaveLength(1);
        const [row] = await engine.place.query(
          `select sum(amount) as sum from refunds where charge_id = ${id} and status = 'succeeded'`,
        );
        expect(Number(row?.['sum'])).toBe(1999);
      });
    });

    test('never: the reconciler looks up the charge', async () => {
      const key = randomUUID();
      gateway.next(FAULTS['moves the money and returns nonsense']);
      expect(await door.charge(app, key)).toMatchObject({ code: 'payment_gateway_failed' });
      await app.reconciler.sweep();
      expect(await traces(), 'its request may still run').toMatchObject([{ status: 'pending' }]);
      await reconcile();
      expect(await traces()).toEqual([TAKEN]);
      const calls = gateway.calls;
      expect(await door.charge(app, key)).toMatchObject({ code: undefined, charge: { status: 'succeeded' } });
      expect(gateway.calls).toBe(calls);
      expect(await traces()).toEqual([TAKEN]);
    });

    test('never: the reconciler completes the refund', async () => {
      const { id } = await makeCharge(app);
      gateway.next(FAULTS['moves the money and returns nonsense']);
      expect(await door.refund(app, id, randomUUID())).toMatchObject({ code: 'payment_gateway_failed' });
      await reconcile();
      expect(await traces()).toEqual([RETURNED]);
    });

    test('never, for a charge that was not created: it fails, and the key can be used again', async () => {
      const key = randomUUID();
      gateway.next(FAULTS['is down']);
      expect(await door.charge(app, key)).toMatchObject({ code: 'payment_gateway_unavailable' });
      await reconcile();
      expect(await traces()).toEqual([NOT_MADE]);
      expect(await door.charge(app, key)).toMatchObject({
        code: undefined,
        replayed: false,
        charge: { status: 'succeeded' },
      });
      expect(await traces()).toEqual([NOT_MADE, TAKEN]);
      expect(await door.charge(app, key)).toMatchObject({ replayed: true });
      expect(await traces()).toEqual([NOT_MADE, TAKEN]);
    });
  });

  test('with a charge in flight that the reconciler has cancelled: no money moves', async () => {
    const [door] = Object.values(DOORS);
    const respond = holdNext(gateway);
    await impatiently(app, async () => door?.charge(app, randomUUID()));
    await reconcile();
    respond();
    await app.stop();
    expect(await traces()).toEqual([NOT_MADE]);
  });
});

describeEachEngine('the reconciler', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  let newest = 0;
  beforeEach(async () => {
    app.signOutAll();
    const [row] = await engine.place.query('select coalesce(max(id), 0) as id from charges');
    newest = Number(row?.['id']);
  });
  const traces = () => tracesAfter(engine, app, newest);
  const checks = async () =>
    (await engine.place.query(`select check_at from charges where id > ${newest}`)).map(
      (row) => row['check_at'],
    );

  /** Creates a charge whose money has moved, with an unknown outcome. */
  async function losingCharge(): Promise<void> {
    gateway.next(FAULTS['moves the money and returns nonsense']);
    await app.post('/v2/charges', {
      as: 'ada',
      body: { amount: { value: 1, currency: 'USD' }, source: 'tok_visa' },
      headers: { 'idempotency-key': randomUUID() },
    });
  }

  test('retries with growing delays while the gateway is unavailable', async () => {
    await losingCharge();
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      app.clock.advance(LIMITS.reconcileAfter * 2 ** round);
      gateway.next(FAULTS['is down']);
      const calls = gateway.calls;
      await app.reconciler.sweep();
      expect(gateway.calls).toBe(calls + 1);
      await app.reconciler.sweep();
      expect(gateway.calls, 'not at once').toBe(calls + 1);
      const [at] = await checks();
      pauses.push(
        (new Date(at as string | number).getTime() - app.clock().getTime()) / LIMITS.reconcileAfter,
      );
    }
    expect(pauses).toEqual([1, 3, 7, 15]);
    app.clock.advance(LIMITS.reconcilePause);
    await app.reconciler.sweep();
    expect(await traces()).toEqual([TAKEN]);
    expect(await checks()).toEqual([null]);
  });

  engine.testConcurrent('of several instances queries the gateway once for each charge', async () => {
    const CHARGES = 10;
    for (let made = 0; made < CHARGES; made += 1) await losingCharge();
    app.clock.advance(LIMITS.reconcileAfter);
    let queries = 0;
    const instances = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const database = await engine.open();
        const sandbox = createSandbox({ database, clock: app.clock });
        return new Reconciler({
          ...DEFAULTS.payments,
          database,
          clock: app.clock,
          gateway: {
            ...sandbox,
            recover: (request) => {
              queries += 1;
              return sandbox.recover(request);
            },
          },
          onOpen: (error) => {
            throw error;
          },
          onConflict: (conflict) => {
            throw new Error(JSON.stringify(conflict));
          },
          onFailure: (error) => {
            throw error;
          },
        });
      }),
    );
    await Promise.all(instances.map((instance) => instance.sweep()));
    expect(queries).toBe(CHARGES);
    expect(await traces()).toEqual(Array.from({ length: CHARGES }, () => TAKEN));
  });
});

describeEachEngine('a route that generates idempotency keys', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  const BODIES: Readonly<Record<string, object>> = {
    'POST /v1/charges': { amount: 1999, source: 'tok_visa' },
    'POST /v2/charges/{charge_id}/refunds': { amount: { value: 1, currency: 'USD' } },
  };
  const keyed = routes.filter(({ generatesKey }) => generatesKey);
  const ledger = async () => (await app.fingerprint()).sandboxPayments.rows;

  test('is one of these', () => {
    expect(keyed.map(routeName)).toEqual(Object.keys(BODIES));
  });

  describe.each(keyed.map((route) => [routeName(route), route] as const))('%s', (name, { method, path }) => {
    let url = path;
    beforeAll(async () => {
      const { id } = await makeCharge(app);
      url = path.replace('{charge_id}', String(id));
    });
    const send = (key?: string | null) =>
      app.request<Charge & ErrorBody>(method, url, {
        as: 'ada',
        body: BODIES[name],
        ...(key && { headers: { 'idempotency-key': key } }),
      });

    test.each([
      ['the gateway times out', FAULTS['moves the money and does not respond in time'], 503],
      ['the gateway sends an invalid response', FAULTS['moves the money and returns nonsense'], 502],
      [
        'the connection breaks',
        async <T>(move: () => Promise<T>): Promise<T> => {
          await move();
          throw new TypeError('fetch failed');
        },
        500,
      ],
    ] satisfies [string, Fault, number][])(
      'returns the key if %s, and a retry with it moves the money once',
      async (_, fault, status) => {
        const before = await ledger();
        gateway.next(fault);
        const failed = await (status === 503 ? impatiently(app, send) : send());
        expect(failed.status).toBe(status);
        const key = failed.headers.get('idempotency-key');
        expect(key).toMatch(/^[\da-f-]{36}$/);
        const again = await send(key);
        expect([again.status, again.headers.get('idempotency-key')]).toEqual([201, null]);
        expect(await ledger()).toBe(before + 1);
      },
    );

    test('returns the key with its response, a new one each time', async () => {
      const keys = [await send(), await send()].map(({ status, headers }) => {
        expect(status).toBe(201);
        return headers.get('idempotency-key');
      });
      expect(new Set(keys).size).toBe(2);
      const again = await send(keys[0]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    });
  });
});
