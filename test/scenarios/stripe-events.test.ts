/** Stripe webhooks, signed with Stripe's own scheme. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createStripeVerifier } from '../../src/payments/stripe-webhooks.ts';
import { STRIPE_WEBHOOK_SECRET, startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import {
  CHARGE,
  makeCharge,
  postCharge,
  signedEvent,
  signedStripeBody,
  signedStripeEvent,
} from '../support/fixtures/charges.ts';
import type { Charge } from '../support/response-bodies.ts';

const path = '/v1/payment-events/stripe';
const NEXT_SECRET = 'whsec_next4nJ2kQ8sVb1xWm7RtYz5PcLd';
const OTHER_SECRET = 'whsec_other4nJ2kQ8sVb1xWm7RtYz5Pc';

/** Metadata that the server sends to Stripe with a charge. */
async function metadataOf({ place }: TestEngine, id: number) {
  const [row] = await place.query(`select reference from charges where id = ${id}`);
  return { charge_id: String(id), reference: String(row?.['reference']) };
}

describeEachEngine('a message of Stripe', (engine) => {
  const app = startApp(engine, {
    verifyStripeEvent: createStripeVerifier([STRIPE_WEBHOOK_SECRET, NEXT_SECRET]),
  });

  const charge = async (id: number) => (await app.get<Charge>(`/v2/charges/${id}`, { as: 'ada' })).body;
  const eventsOf = async (id: number) =>
    (await app.events()).filter((event) => event.subjectType === 'charge' && event.subjectId === id);
  const conflicts = () =>
    app.log.filter((line) => line.includes('contradictory reports')).map((line) => JSON.parse(line).conflict);
  const tell = (type: string, object: object, options?: Parameters<typeof signedStripeEvent>[2]) =>
    app.post<{ applied: boolean } & ErrorBody>(path, signedStripeEvent(app, { type, object }, options));

  /** Creates a charge without an outcome from the gateway. */
  async function pendingCharge() {
    const body = { ...CHARGE, source: 'tok_bad_gateway' };
    expect((await postCharge(app, { key: randomUUID(), body })).status).toBe(502);
    const list = await app.get<{ data: readonly Charge[] }>('/v2/charges?limit=1', { as: 'ada' });
    const id = Number(list.body.data[0]?.id);
    const metadata = await metadataOf(engine, id);
    return { id, metadata, intent: { id: `pi_${id}`, object: 'payment_intent', metadata } };
  }

  describe('settles a pending charge:', () => {
    test.each([
      ['payment_intent.succeeded', {}, 'succeeded', null],
      [
        'payment_intent.payment_failed',
        { last_payment_error: { code: 'card_declined', decline_code: 'lost_card' } },
        'failed',
        'lost_card',
      ],
      ['payment_intent.canceled', { last_payment_error: null }, 'failed', 'card_declined'],
    ])('%s', async (type, more, status, failureCode) => {
      const { id, intent } = await pendingCharge();
      const response = await tell(type, { ...intent, ...more });
      expect([response.status, response.body]).toEqual([200, { applied: true }]);
      expect(await charge(id)).toMatchObject({ status, failure_code: failureCode });
      expect(await eventsOf(id)).toMatchObject([{ type: `charge.${status}`, actorId: null, org: 'acme' }]);
    });

    test.each([
      ['charge.succeeded', {}, 'succeeded', null],
      ['charge.failed', { failure_code: 'expired_card' }, 'failed', 'expired_card'],
      ['charge.refunded', { refunded: true }, 'refunded', null],
    ])('%s', async (type, more, status, failureCode) => {
      const { id, metadata } = await pendingCharge();
      const object = { id: `ch_${id}`, object: 'charge', payment_intent: `pi_${id}`, metadata };
      expect((await tell(type, { ...object, ...more })).body).toEqual({ applied: true });
      expect(await charge(id)).toMatchObject({ status, failure_code: failureCode });
    });

    test.each(['refund.created', 'refund.updated', 'charge.refund.updated'])('%s', async (type) => {
      const { id, intent } = await pendingCharge();
      await tell('payment_intent.succeeded', intent);
      const refund = { id: 're_1', object: 'refund', payment_intent: intent.id };
      const said = async (more: object) => (await tell(type, { ...refund, ...more })).body;
      expect(await said({ amount: 1999, status: 'pending' })).toEqual({ applied: false });
      expect(await said({ amount: 100, status: 'succeeded' }), 'a part of it').toEqual({ applied: false });
      expect(await said({ amount: 1999, status: 'succeeded' })).toEqual({ applied: true });
      expect((await charge(id)).status).toBe('refunded');
    });
  });

  test('is applied once', async () => {
    const { id, intent } = await pendingCharge();
    const message = signedStripeEvent(app, { type: 'payment_intent.succeeded', object: intent });
    expect((await app.post(path, message)).body).toEqual({ applied: true });
    const before = await app.fingerprint();
    expect((await app.post(path, message)).body).toEqual({ applied: false });
    expect(await app.fingerprint()).toEqual(before);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test.each([
    ['a partial refund', 'charge.refunded', { refunded: false }],
    ['another payment', 'charge.refunded', { refunded: true, payment_intent: 'pi_another' }],
    [
      'a charge of another server on the same account',
      'charge.refunded',
      { refunded: true, reference: 'other' },
    ],
    ['another kind of object', 'payout.paid', {}],
    ['names of inherited object members', 'toString', {}],
  ])('about %s changes nothing', async (_, type, extra: Readonly<Record<string, unknown>>) => {
    const { reference, ...more } = extra;
    const { id } = await makeCharge(app);
    const metadata = await metadataOf(engine, id);
    const object = {
      id: 'ch_1',
      metadata: { ...metadata, ...(reference !== undefined && { reference }) },
      ...more,
    };
    const response = await tell(type, object);
    expect([response.status, response.body]).toEqual([200, { applied: false }]);
    expect((await charge(id)).status).toBe('succeeded');
  });

  test('of a success overrides a failure, in either order', async () => {
    for (const order of [
      ['payment_intent.payment_failed', 'payment_intent.succeeded'],
      ['payment_intent.succeeded', 'payment_intent.payment_failed'],
    ]) {
      const { id, intent } = await pendingCharge();
      const known = conflicts().length;
      for (const type of order) await tell(type, intent);
      expect((await charge(id)).status).toBe('succeeded');
      const isLate = order[1] === 'payment_intent.payment_failed';
      expect(conflicts().slice(known)).toEqual(
        isLate ? [{ chargeId: id, status: 'succeeded', said: 'failed' }] : [],
      );
    }
  });

  test('of a failed refund is reported to the operator', async () => {
    const { id, intent } = await pendingCharge();
    const refund = { payment_intent: intent.id, amount: 1999 };
    await tell('payment_intent.succeeded', intent);
    await tell('refund.updated', { ...refund, status: 'succeeded' });
    expect((await tell('refund.failed', { ...refund, status: 'failed' })).body).toEqual({ applied: false });
    expect(conflicts().at(-1)).toEqual({ chargeId: id, status: 'refunded', said: 'not refunded' });
  });

  test('of a part that failed after it was refunded is reported to the operator, and one of a charge without refunds is not', async () => {
    const { id, intent } = await pendingCharge();
    const failed = { payment_intent: intent.id, amount: 500, status: 'failed' };
    await tell('payment_intent.succeeded', intent);
    const known = conflicts().length;
    expect((await tell('refund.failed', failed)).body).toEqual({ applied: false });
    expect(conflicts()).toHaveLength(known);
    const body = { amount: { value: 5, currency: 'USD' } };
    expect((await app.post(`/v2/charges/${id}/refunds`, { as: 'ada', body })).status).toBe(201);
    expect((await tell('refund.failed', failed)).body).toEqual({ applied: false });
    expect(conflicts().slice(known)).toEqual([{ chargeId: id, status: 'succeeded', said: 'not refunded' }]);
  });

  test('of a failed refund that is recorded as failed is not reported, although another part was refunded', async () => {
    const { id, intent } = await pendingCharge();
    await tell('payment_intent.succeeded', intent);
    const body = { amount: { value: 5, currency: 'USD' } };
    expect((await app.post(`/v2/charges/${id}/refunds`, { as: 'ada', body })).status).toBe(201);
    const [row] = await engine.place.query(`select reference from refunds where charge_id = ${id}`);
    const reference = String(row?.['reference']);
    const failed = { payment_intent: intent.id, amount: 500, status: 'failed', metadata: { reference } };
    const known = conflicts().length;
    await tell('refund.failed', failed);
    expect(conflicts().slice(known)).toEqual([{ chargeId: id, status: 'succeeded', said: 'not refunded' }]);
    await engine.place.query(`update refunds set status = 'failed' where charge_id = ${id}`);
    await tell('refund.updated', failed);
    expect(conflicts()).toHaveLength(known + 1);
  });

  describe('is verified:', () => {
    const sendTo = (door: string, message: { text?: string; headers?: Record<string, string> }) =>
      app.post<ErrorBody>(door, message);
    const refused = async (message: { text?: string; headers?: Record<string, string> }, door = path) => {
      const before = await app.fingerprint();
      const response = await sendTo(door, message);
      expect([response.status, response.body.error.code], response.text).toEqual([401, 'invalid_signature']);
      expect(await app.fingerprint()).toEqual(before);
    };
    const message = (options?: Parameters<typeof signedStripeEvent>[2]) =>
      signedStripeEvent(app, { type: 'payment_intent.succeeded', object: { id: 'pi_none' } }, options);

    test.each([
      ['either secret of a rotation', [NEXT_SECRET]],
      ['several signatures, one of which is correct', [OTHER_SECRET, STRIPE_WEBHOOK_SECRET]],
    ])('%s', async (_, secrets) => {
      expect((await sendTo(path, message({ secrets }))).status).toBe(200);
    });

    test('another secret', () => refused(message({ secrets: [OTHER_SECRET] })));
    test('the tolerance of five minutes', async () => {
      await refused(message({ later: -301_000 }));
      expect((await sendTo(path, message({ later: -299_000 }))).status).toBe(200);
    });
    test('the original bytes', async () => {
      const { text, headers } = message();
      await refused({ headers, text: `${text} ` });
      await refused({ headers, text: JSON.stringify(JSON.parse(text), null, 1) });
    });
    test.each(['', 't=1', 'v1=00', 'nonsense'])('the header "%s"', (signature) =>
      refused({ ...message(), headers: { 'stripe-signature': signature } }),
    );
    test('a missing header, and a missing body', async () => {
      await refused({ text: message().text });
      await refused({ headers: message().headers });
    });
    test('each scheme on its own route', async () => {
      await refused(message(), '/v1/payment-events');
      await refused(signedEvent(app, { type: 'charge.succeeded', data: {} }));
    });
    test.each([[undefined], [null], [''], [7], [{}], ['evt\u0000'], ['e'.repeat(256)]])(
      'the id %j, which does not identify an event',
      async (id) => {
        const text = JSON.stringify({ id, object: 'event', type: 'payout.paid', data: { object: {} } });
        await refused(signedStripeBody(app, text));
      },
    );
    test('GraphQL, which accepts no such messages', async () => {
      const { headers } = message();
      const document = 'mutation { recordStripeEvent(event: {}) { applied } }';
      expect(codesOf(await app.graphql(document, {}, { as: 'ada', headers }))).toEqual(['invalid_signature']);
    });
    test.each([path, '/v2/payment-events/stripe'])(
      'a number that cannot be stored exactly, at %s',
      async (to) => {
        const text =
          '{"id":"evt_exact","object":"event","type":"charge.succeeded","data":{"object":{"n":1e999}}}';
        const response = await sendTo(to, signedStripeBody(app, text));
        expect(response.status).toBe(422);
        expect(response.body.error.code).toBe('validation_failed');
      },
    );
    test.each(['[]', 'null', '{}', '{"type":"charge.succeeded","data":null}', '{"id":"evt_x","type":7}'])(
      'an event that Stripe would not send, %s, changes nothing',
      async (text) => {
        const before = await app.events();
        const response = await sendTo(path, signedStripeBody(app, text));
        expect(response.status).toBeLessThan(500);
        expect(await app.events()).toEqual(before);
      },
    );
  });
});

describeEachEngine('without a Stripe secret', (engine) => {
  const app = startApp(engine, { verifyStripeEvent: createStripeVerifier([]) });

  test('messages of Stripe are not accepted', async () => {
    const message = signedStripeEvent(app, { type: 'payment_intent.succeeded', object: {} });
    expect((await app.post(path, message)).status).toBe(401);
  });
});
