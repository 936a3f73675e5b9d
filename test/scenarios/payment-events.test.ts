/** Signed messages in which the payment provider reports the outcome of charges. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { PAYMENT_EVENTS_SECRET, startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import {
  CHARGE,
  type EventOptions,
  makeCharge,
  postCharge,
  signedEvent,
} from '../support/fixtures/charges.ts';
import type { Charge } from '../support/response-bodies.ts';

describeEachEngine('a payment event', (engine) => {
  const app = startApp(engine);
  const path = '/v1/payment-events';

  const tell = (type: string, data: unknown, options?: EventOptions) =>
    app.post<{ applied: boolean } & ErrorBody>(path, signedEvent(app, { type, data }, options));

  const charge = async (id: number) => (await app.get<Charge>(`/v2/charges/${id}`, { as: 'ada' })).body;
  const newest = async () => (await app.events()).at(-1);

  /** Creates a charge without an outcome from the gateway. @returns it with a retry of its request. */
  async function pendingCharge() {
    const key = randomUUID();
    const body = { ...CHARGE, source: 'tok_bad_gateway' };
    expect((await postCharge(app, { key, body })).status).toBe(502);
    const list = await app.get<{ data: readonly Charge[] }>('/v2/charges?limit=1', { as: 'ada' });
    const [pending] = list.body.data;
    if (!pending) throw new Error('The charge is not in the list.');
    expect(pending.status).toBe('pending');
    return { id: pending.id, again: () => postCharge<Charge & ErrorBody>(app, { key, body }) };
  }

  test('settles a charge once, and a repeat has no effect', async () => {
    const { id, again } = await pendingCharge();
    const message = signedEvent(app, {
      type: 'charge.succeeded',
      data: { charge_id: id, payment_id: 'pay_1' },
    });
    const first = await app.post(path, message);
    expect([first.status, first.body]).toEqual([200, { applied: true }]);
    expect((await charge(id)).status).toBe('succeeded');
    expect(await newest()).toMatchObject({
      type: 'charge.succeeded',
      actorId: null,
      subjectId: id,
      org: 'acme',
    });
    const before = await app.fingerprint();
    const second = await app.post(path, message);
    expect([second.status, second.body]).toEqual([200, { applied: false }]);
    expect(await app.fingerprint()).toEqual(before);
    // A retry of the interrupted request gets the outcome without calling the gateway.
    const retry = await again();
    expect([retry.status, retry.body.id, retry.body.status]).toEqual([201, id, 'succeeded']);
  });

  test('fails a charge, and a retry of its request is declined after the gateway has confirmed it', async () => {
    const { id, again } = await pendingCharge();
    const response = await tell('charge.failed', { charge_id: id, failure_code: 'insufficient_funds' });
    expect(response.body).toEqual({ applied: true });
    expect(await charge(id)).toMatchObject({ status: 'failed', failure_code: 'insufficient_funds' });
    expect((await again()).status).toBe(502);
    app.clock.advance(LIMITS.reconcileAfter);
    await app.reconciler.sweep();
    const retry = await again();
    expect([retry.status, retry.body.error.code]).toEqual([422, 'card_declined']);
    const replay = await again();
    expect(replay.text).toBe(retry.text);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  });

  test('refunds a charge', async () => {
    const { id } = await makeCharge(app);
    expect((await tell('charge.refunded', { charge_id: id })).body).toEqual({ applied: true });
    expect((await charge(id)).status).toBe('refunded');
    expect(await newest()).toMatchObject({ type: 'charge.refunded', actorId: null, subjectId: id });
    const refund = await app.post<ErrorBody>(`/v2/charges/${id}/refunds`, { as: 'ada' });
    expect([refund.status, refund.body.error.code]).toEqual([409, 'invalid_transition']);
  });

  test('that arrives out of order reverts nothing', async () => {
    const { id } = await pendingCharge();
    expect((await tell('charge.refunded', { charge_id: id })).body).toEqual({ applied: true });
    for (const type of ['charge.succeeded', 'charge.failed', 'charge.refunded']) {
      expect((await tell(type, { charge_id: id })).body, type).toEqual({ applied: false });
    }
    expect((await charge(id)).status).toBe('refunded');
  });

  test.each([
    ['an unknown charge', 'charge.succeeded', { charge_id: 999_999 }],
    ['no charge', 'charge.succeeded', { payment_id: 'pay_x' }],
    ['another kind of object', 'payout.paid', { payout: 1, more: { of: ['it'] } }],
  ])('about %s is accepted, and changes nothing', async (_, type, data) => {
    const events = (await app.events()).length;
    const response = await tell(type, data);
    expect([response.status, response.body]).toEqual([200, { applied: false }]);
    expect(await app.events()).toHaveLength(events);
  });

  test("about another payment than the charge's changes nothing", async () => {
    const { id } = await makeCharge(app);
    const response = await tell('charge.refunded', { charge_id: id, payment_id: 'pay_of_somebody' });
    expect(response.body).toEqual({ applied: false });
    expect((await charge(id)).status).toBe('succeeded');
  });

  describe('is refused with 401, and changes nothing,', () => {
    const refused = async (message: { text?: string; headers?: Record<string, string> }) => {
      const before = await app.fingerprint();
      const response = await app.post<ErrorBody>(path, message);
      expect([response.status, response.body.error.code], response.text).toEqual([401, 'invalid_signature']);
      expect(await app.fingerprint()).toEqual(before);
    };
    const about = (id: number) => ({ type: 'charge.refunded', data: { charge_id: id } });

    test.each([
      ['when it is 301 seconds old', -301_000],
      ['when it is 301 seconds in the future', 301_000],
    ])('%s', async (_, later) => {
      const { id } = await makeCharge(app);
      await refused(signedEvent(app, about(id), { later }));
      expect(
        (await app.post(path, signedEvent(app, about(id), { later: Math.sign(later) * 299_000 }))).status,
      ).toBe(200);
    });

    test('when signed with another secret', async () => {
      const { id } = await makeCharge(app);
      await refused(signedEvent(app, about(id), { secrets: [`whsec_${'B'.repeat(43)}=`] }));
    });

    test('when its body was reformatted', async () => {
      const { id } = await makeCharge(app);
      const { text, headers } = signedEvent(app, about(id));
      await refused({ headers, text: JSON.stringify(JSON.parse(text), null, 1) });
      await refused({ headers, text: text.replace(String(id), `${id}0`) });
    });

    test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', async (name) => {
      const { id } = await makeCharge(app);
      const { text, headers } = signedEvent(app, about(id));
      const { [name]: _, ...others } = headers;
      await refused({ text, headers: others });
    });

    test('with another id than the signed one', async () => {
      const { id } = await makeCharge(app);
      const { text, headers } = signedEvent(app, about(id));
      await refused({ text, headers: { ...headers, 'webhook-id': 'msg_other' } });
    });

    test.each([
      ['with a space in its id', 'msg 1'],
      ['with an id that an index cannot hold', randomBytes(4096).toString('base64')],
    ])('%s', async (_, name) => {
      const { id } = await makeCharge(app);
      await refused(signedEvent(app, about(id), { id: name }));
    });

    test('without a body', async () => {
      await refused({});
      await refused({ text: '' });
    });

    test('through GraphQL, also with a signature', async () => {
      const { id } = await makeCharge(app);
      const document = `mutation { recordPaymentEvent(input: {
        type: "charge.refunded", timestamp: "2026-09-01T12:00:00Z", data: { charge_id: ${id} } }) { applied } }`;
      const { headers } = signedEvent(app, about(id));
      expect(codesOf(await app.graphql(document, {}, { as: 'ada', headers }))).toEqual(['invalid_signature']);
      expect((await charge(id)).status).toBe('succeeded');
    });
  });

  test.each([path, '/v2/payment-events'])(
    'that is invalid returns 422 at %s, after its signature was verified',
    async (door) => {
      const unreadable = signedEvent(app, { type: 'charge.succeeded', data: 'nothing' });
      const response = await app.post<ErrorBody>(door, unreadable);
      expect([response.status, response.body.error.code]).toEqual([422, 'validation_failed']);
      const message = signedEvent(app, { type: 'charge.succeeded', data: {} });
      expect(message.headers['webhook-signature']).toMatch(/^v1,/);
    },
  );

  test('is verified like the reference vector of Standard Webhooks', async () => {
    const { verifyMessage } = await import('../../src/core/signatures.ts');
    const body = Buffer.from('{"test": 2432232314}');
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect(verifyMessage([PAYMENT_EVENTS_SECRET], headers, body, new Date(1_614_265_330_000))).toBe(
      'genuine',
    );
  });
});

describeEachEngine('without a signing secret', (engine) => {
  const app = startApp(engine, { payments: { paymentEventsSecrets: [] } });

  test('payment events are not accepted', async () => {
    const response = await app.post<ErrorBody>(
      '/v1/payment-events',
      signedEvent(app, { type: 'charge.succeeded', data: { charge_id: 1 } }),
    );
    expect([response.status, response.body.error.code]).toEqual([401, 'invalid_signature']);
  });
});
