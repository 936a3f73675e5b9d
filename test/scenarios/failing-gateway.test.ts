/**
 * Gateways that fail and recover: a client that retries with the same key is charged once, whatever the
 * failed request did.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import { DOORS } from './charge-doors.ts';
import { chargesOfEachTest, PENDING, RETURNED, TAKEN } from './charge-traces.ts';
import { FAULTS, FaultyGateway, impatiently } from './faulty-gateway.ts';

/** The error that each fault causes, and whether the money has moved by then. */
const CASES = [
  ['is down', 503, 'payment_gateway_unavailable', false],
  ['returns nonsense', 502, 'payment_gateway_failed', false],
  ['moves the money and returns nonsense', 502, 'payment_gateway_failed', true],
  ['does not respond in time', 503, 'payment_gateway_unavailable', false],
  ['moves the money and does not respond in time', 503, 'payment_gateway_unavailable', true],
] as const;

describeEachEngine('a gateway that fails and recovers', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  /** Sends a request that fails because of this fault. */
  function failWith<T>(fault: keyof typeof FAULTS, send: () => Promise<T>): Promise<T> {
    gateway.next(FAULTS[fault]);
    return fault.endsWith('does not respond in time') ? impatiently(app, send) : send();
  }

  const { traces } = chargesOfEachTest(engine, app);
  const ledger = async () => (await app.fingerprint()).sandboxPayments.rows;

  describe.each(Object.entries(DOORS))('through %s', (_door, door) => {
    test.each(CASES)('charges once, also when it %s', async (fault, status, code, moved) => {
      const before = await ledger();
      const key = randomUUID();
      // Twice in a row: a retry may fail as well.
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const failed = await failWith(fault, () => door.charge(app, key));
        expect(failed).toMatchObject({
          status: door.errorStatus ?? status,
          code,
          retryAfter: 1,
          replayed: false,
        });
        // A gateway that does not answer may still be moving the money.
        await expect.poll(traces).toEqual([{ ...PENDING, taken: moved ? 1 : 0 }]);
      }

      const retried = await door.charge(app, key);
      expect(retried).toMatchObject({ code: undefined, replayed: false, charge: { status: 'succeeded' } });
      expect(await traces()).toEqual([TAKEN]);

      const calls = gateway.calls;
      const replayed = await door.charge(app, key);
      expect(replayed).toEqual({ ...retried, replayed: true });
      expect(gateway.calls, 'a replay does not call the gateway').toBe(calls);
      expect(await traces()).toEqual([TAKEN]);
      expect(await ledger()).toBe(before + 1);
    });

    test.each(CASES)('refunds once, also when it %s', async (fault, status, code, moved) => {
      const { id } = await makeCharge(app);
      const before = await ledger();
      const key = randomUUID();
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const failed = await failWith(fault, () => door.refund(app, id, key));
        expect(failed).toMatchObject({ status: door.errorStatus ?? status, code, retryAfter: 1 });
        await expect.poll(traces).toEqual([{ ...TAKEN, returned: moved ? 1 : 0 }]);
      }

      const retried = await door.refund(app, id, key);
      expect(retried).toMatchObject({ code: undefined, replayed: false, charge: { status: 'refunded' } });
      expect(await traces()).toEqual([RETURNED]);
      expect(await door.refund(app, id, key)).toEqual({ ...retried, replayed: true });
      // Another key is another request, and the charge is refunded already.
      expect(await door.refund(app, id, randomUUID())).toMatchObject({ code: 'invalid_transition' });
      expect(await traces()).toEqual([RETURNED]);
      expect(await ledger()).toBe(before + 1);
    });
  });

  describe.each(Object.entries(DOORS))('refunds a part once through %s, without a key,', (_door, door) => {
    const PART = { value: 5, currency: 'USD' };

    /** Fails a refund, and returns the id of its charge and the key in the response. */
    async function failing(fault: keyof typeof FAULTS) {
      const { id } = await makeCharge(app);
      const { code, generatedKey } = await failWith(fault, () => door.refund(app, id, undefined, PART));
      expect(code).toMatch(/^payment_gateway_/);
      expect(generatedKey).toMatch(/^[\da-f-]{36}$/);
      return { id, key: generatedKey };
    }
    const refundsOf = async (id: number) =>
      (await engine.place.query(`select status, amount from refunds where charge_id = ${id}`)).map(
        (row) => `${row['status']} ${row['amount']}`,
      );

    test.each(CASES)('when the request is repeated, also when it %s', async (fault) => {
      const { id } = await failing(fault);
      expect(await door.refund(app, id, undefined, PART)).toMatchObject({ code: undefined, replayed: false });
      // A refund that no request has continued would be due by now.
      app.clock.advance(LIMITS.reconcileAfter);
      await app.reconciler.sweep();
      expect(await refundsOf(id)).toEqual(['succeeded 500']);
    });

    test.each(CASES)('when the key of the response is sent later, also when it %s', async (fault) => {
      const { id, key } = await failing(fault);
      await app.reconciler.sweep();
      const again = await door.refund(app, id, key, PART);
      expect(again).toMatchObject({ code: undefined, generatedKey: undefined });
      expect(await refundsOf(id)).toEqual(['succeeded 500']);
    });

    test('when the request is repeated after the reconciler has failed', async () => {
      const { id } = await failing('is down');
      gateway.next(FAULTS['is down']);
      await app.reconciler.sweep();
      // Longer than any request takes.
      app.clock.advance(LIMITS.gatewayTimeout * 2);
      expect(await door.refund(app, id, undefined, PART)).toMatchObject({ code: undefined, replayed: false });
      app.clock.advance(LIMITS.reconcileAfter * 4);
      await app.reconciler.sweep();
      expect(await refundsOf(id)).toEqual(['succeeded 500']);
    });
  });

  test('refunds twice for two people, although the first refund was interrupted', async () => {
    const { id } = await makeCharge(app);
    const refund = (as: 'ada' | 'ed', headers = {}) =>
      app.post(`/v2/charges/${id}/refunds`, { as, headers, body: { amount: { value: 5, currency: 'USD' } } });
    const headers = { 'idempotency-key': randomUUID() };
    gateway.next(FAULTS['is down']);
    expect((await refund('ada', headers)).status).toBe(503);
    expect((await refund('ed')).status).toBe(201);
    expect((await refund('ada', headers)).status).toBe(201);
    const refunds = await engine.place.query(`select status from refunds where charge_id = ${id}`);
    expect(refunds.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  test('refunds a part again for another key, although the first refund was interrupted', async () => {
    const { id } = await makeCharge(app);
    const refund = () =>
      app.post(`/v2/charges/${id}/refunds`, {
        as: 'ada',
        body: { amount: { value: 5, currency: 'USD' } },
        headers: { 'idempotency-key': randomUUID() },
      });
    gateway.next(FAULTS['moves the money and returns nonsense']);
    expect((await refund()).status).toBe(502);
    expect((await refund()).status).toBe(201);
    await app.reconciler.sweep();
    const refunds = await engine.place.query(`select status from refunds where charge_id = ${id}`);
    expect(refunds.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  test('refunds once for requests without a key, or with another one', async () => {
    const { id } = await makeCharge(app);
    const before = await ledger();
    gateway.next(FAULTS['moves the money and returns nonsense']);
    expect((await app.post(`/v2/charges/${id}/refunds`, { as: 'ada' })).status).toBe(502);
    const headers = { 'idempotency-key': randomUUID() };
    const unanswered = await failWith('moves the money and does not respond in time', () =>
      app.post(`/v2/charges/${id}/refunds`, { as: 'ada', headers }),
    );
    expect(unanswered.status).toBe(503);
    expect((await app.post(`/v2/charges/${id}/refunds`, { as: 'ada' })).status).toBe(201);
    expect(await traces()).toEqual([RETURNED]);
    // The key belongs to a request without an outcome, and gets its outcome here.
    const again = await app.post(`/v2/charges/${id}/refunds`, { as: 'ada', headers });
    expect(again.status).toBe(201);
    expect(await traces()).toEqual([RETURNED]);
    expect(await ledger()).toBe(before + 1);
  });

  test.each(Object.entries(DOORS))(
    'fails unexpectedly through %s: an internal error that is logged, and a retry completes the charge',
    async (_door, door) => {
      const key = randomUUID();
      const logged = () => app.log.filter((line) => line.includes('fetch failed')).length;
      const before = logged();
      gateway.next(async (move) => {
        await move();
        throw new TypeError('fetch failed');
      });
      const status = door.errorStatus ?? 500;
      expect(await door.charge(app, key)).toMatchObject({ status, code: 'internal_error' });
      expect(logged()).toBe(before + 1);
      expect(await traces()).toEqual([{ ...PENDING, taken: 1 }]);
      expect(await door.charge(app, key)).toMatchObject({ charge: { status: 'succeeded' }, replayed: false });
      expect(await traces()).toEqual([TAKEN]);
    },
  );
});
