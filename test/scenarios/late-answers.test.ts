/** Gateway responses that arrive after the client was asked to retry, and clients that never retry. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { NOT_MADE as NOT_MADE_CODE } from '../../src/payments/gateway.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite } from '../support/engines.ts';
import { CHARGE, makeCharge, postCharge, signedEvent } from '../support/fixtures/charges.ts';
import { DOORS } from './charge-doors.ts';
import { chargesOfEachTest, NOT_MADE, RETURNED, TAKEN } from './charge-traces.ts';
import { FAULTS, type Fault, FaultyGateway, impatiently } from './faulty-gateway.ts';

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

  beforeEach(() => app.signOutAll());
  const { newest, traces } = chargesOfEachTest(engine, app);
  /** Sends a payment event about the newest charge. */
  const report = async (type: string, failureCode?: string) => {
    const data = { charge_id: await newest(), ...(failureCode && { failure_code: failureCode }) };
    return app.post('/v1/payment-events', signedEvent(app, { type, data }));
  };
  const reconcile = () => {
    app.clock.advance(LIMITS.reconcileAfter);
    return app.reconciler.sweep();
  };

  test('never, and a payment event reports a declined charge as one that was not made: a retry is declined, without another charge', async () => {
    const key = randomUUID();
    const charge = () => postCharge<ErrorBody>(app, { key, body: { ...CHARGE, source: 'tok_declined' } });
    gateway.next(FAULTS['moves the money and returns nonsense']);
    await charge();
    await report('charge.failed', NOT_MADE_CODE);
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
      const respond = holdNext(gateway);
      const charging = door.charge(app, randomUUID());
      await expect.poll(traces).toMatchObject([{ status: 'pending' }]);
      expect((await report('charge.failed', 'lost_card')).body).toEqual({ applied: true });
      expect(await traces()).toMatchObject([{ status: 'failed' }]);
      respond();
      await charging;
      const events = ['charge.failed', 'charge.succeeded'];
      await expect.poll(traces).toEqual([{ ...TAKEN, version: 3, events }]);
    });

    test('never, and a payment event reports failure although the money moved: the gateway is queried', async () => {
      gateway.next(FAULTS['moves the money and returns nonsense']);
      await door.charge(app, randomUUID());
      await report('charge.failed');
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
        await report('charge.failed', code);
        gateway.next(FAULTS['is down']);
        expect(await door.charge(app, key)).toMatchObject({ code: 'payment_gateway_unavailable' });
        await expect.poll(async () => (await door.charge(app, key)).charge?.status).toBe('succeeded');
        const events = ['charge.failed', 'charge.succeeded'];
        expect(await traces()).toEqual([{ ...TAKEN, version: 3, events }]);
      },
    );

    describe('after a payment event reported success without the id of the payment: it becomes refundable', () => {
      const tellSuccess = async () => {
        expect((await report('charge.succeeded')).body).toEqual({ applied: true });
        const id = await newest();
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
      const refundEvents = async (id: number) =>
        (await app.events())
          .filter((event) => event.subjectType === 'charge' && event.subjectId === id)
          .filter(({ type }) => type === 'charge.refunded');

      test('the event has the refund and its person', async () => {
        const { id, respond, refundId } = await refundAfterPart();
        expect((await report('charge.refunded')).body).toEqual({ applied: false });
        respond();
        await expect.poll(() => refundEvents(id)).toHaveLength(1);
        expect((await report('charge.refunded')).body).toEqual({ applied: false });
        expect(await refundEvents(id)).toMatchObject([{ actorId: 1, data: { refund: { id: refundId } } }]);
        expect(await traces()).toMatchObject([{ status: 'refunded', version: 4 }]);
      });

      test('the charge is not refunded if the refund has failed after all', async () => {
        const { id, key, respond } = await refundAfterPart();
        await report('charge.refunded');
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
