/** The Stripe gateway against a local server with Stripe's wire format: forms in requests, JSON in responses. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Gateway } from '../../src/payments/gateway.ts';
import { type StripeFault, StripeGateway } from '../../src/payments/stripe.ts';
import { stripeAmount } from '../../src/payments/stripe-amounts.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

const SECRET = 'sk_test_abcdefghijkl';
const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const CHARGE = {
  key: 'key-1',
  chargeId: 7,
  amount: 1999,
  currency: 'USD',
  source: 'pm_card_visa',
  since: new Date(NOW.getTime() - 23 * HOUR),
};
/** A charge so old that Stripe may have forgotten its key. */
const OLD = { ...CHARGE, source: 'tok_visa', since: new Date(NOW.getTime() - 23 * HOUR - 1) };
const error = (type: string, more: object = {}) => ({ error: { type, message: `no ${SECRET}`, ...more } });

const REFUND = {
  key: 'key-1-refund',
  paymentId: 'pi_1',
  amount: 1999,
  currency: 'USD',
  isWhole: true,
  since: CHARGE.since,
};
/** A part of a charge, whose key Stripe may have forgotten. */
const OLD_PART = { ...REFUND, amount: 500, isWhole: false, since: OLD.since };

describe('Stripe', () => {
  let server: Server;
  let stripe: Gateway;
  let received: Received[];
  let faults: StripeFault[];
  let answer: (one: Received) => [number, unknown];
  /** Stripe's advice on repeating a request. */
  let advice: string | undefined;

  beforeEach(async () => {
    received = [];
    advice = 'false';
    faults = [];
    server = createServer(async (request, response) => {
      const form = new URLSearchParams(await text(request));
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, form };
      received.push(one);
      const [status, body] = answer(one);
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(advice && { 'stripe-should-retry': advice }),
      });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = { host: '127.0.0.1', port, protocol: 'http' } as const;
    stripe = new StripeGateway({
      secretKey: SECRET,
      clock: () => NOW,
      address,
      onFault: (fault) => faults.push(fault),
    });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('gets a request for a confirmed payment with our idempotency key', async () => {
    answer = () => [200, { id: 'pi_1', object: 'payment_intent', status: 'succeeded' }];
    expect(await stripe.charge(CHARGE)).toEqual({ status: 'succeeded', paymentId: 'pi_1' });
    const [one] = received;
    expect(one?.path).toBe('/v1/payment_intents');
    expect(one?.headers['idempotency-key']).toBe('key-1');
    expect(one?.headers['stripe-version']).toBe('2026-10-28.endive');
    expect(Object.fromEntries(one?.form ?? [])).toMatchObject({
      amount: '1999',
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm: 'true',
      'metadata[charge_id]': '7',
    });
  });

  test('first creates a payment method from a token, with a separate key', async () => {
    answer = ({ path }) => [200, { id: path.includes('methods') ? 'pm_9' : 'pi_2', status: 'succeeded' }];
    await stripe.charge({ ...CHARGE, source: 'tok_visa' });
    expect(received.map(({ path, headers }) => [path, headers['idempotency-key']])).toEqual([
      ['/v1/payment_methods', 'key-1-method'],
      ['/v1/payment_intents', 'key-1'],
    ]);
    expect(received[1]?.form.get('payment_method')).toBe('pm_9');
  });

  describe('is searched for a payment whose key may have expired, and the earlier one', () => {
    const declined = { decline_code: 'lost_card', code: 'card_declined' };

    test.each([
      ['has taken the money', { status: 'succeeded' }, { status: 'succeeded', paymentId: 'pi_5' }],
      [
        'has not been given it',
        { status: 'requires_payment_method', last_payment_error: declined },
        { status: 'declined', reason: 'lost_card', paymentId: 'pi_5' },
      ],
      [
        'has cancelled it',
        { status: 'canceled', last_payment_error: null },
        { status: 'declined', reason: 'card_declined', paymentId: 'pi_5' },
      ],
    ])('%s: it is not created again', async (_, intent, expected) => {
      answer = () => [200, { object: 'search_result', data: [{ id: 'pi_5', ...intent }], has_more: false }];
      expect(await stripe.charge(OLD)).toEqual(expected);
      expect(received).toHaveLength(1);
      const { pathname, searchParams } = new URL(received[0]?.path ?? '', 'http://stripe.test');
      expect(pathname).toBe('/v1/payment_intents/search');
      expect(searchParams.get('query')).toBe("metadata['reference']:'key-1'");
    });

    test('is still processing', async () => {
      answer = () => [200, { object: 'search_result', data: [{ id: 'pi_5', status: 'processing' }] }];
      await expect(stripe.charge(OLD)).rejects.toMatchObject({ code: 'payment_gateway_failed' });
      expect(received).toHaveLength(1);
    });

    test('cannot be looked up: nothing is created', async () => {
      answer = () => [503, error('api_error')];
      await expect(stripe.charge(OLD)).rejects.toMatchObject({ code: 'payment_gateway_unavailable' });
      expect(received.filter(({ path }) => !path.includes('/search'))).toEqual([]);
    });

    test('does not exist: the payment is created', async () => {
      answer = ({ path }) => [
        200,
        path.includes('/search')
          ? { object: 'search_result', data: [] }
          : { id: 'pi_6', status: 'succeeded' },
      ];
      expect(await stripe.charge(OLD)).toEqual({ status: 'succeeded', paymentId: 'pi_6' });
      expect(received.map(({ path }) => path.split('?')[0])).toEqual([
        '/v1/payment_intents/search',
        '/v1/payment_methods',
        '/v1/payment_intents',
      ]);
    });
  });

  describe('is queried for the outcome of a charge that', () => {
    const clash = error('idempotency_error');
    const search = (...data: object[]): [number, unknown] => [200, { object: 'search_result', data }];
    const paths = () => received.map(({ path }) => path.split('?')[0]);

    test('it does not know: an unpayable payment uses up the key', async () => {
      answer = ({ path }) => [
        200,
        { id: 'pi_7', status: path.endsWith('cancel') ? 'canceled' : 'requires_payment_method' },
      ];
      expect(await stripe.recover(CHARGE)).toEqual({ status: 'not made' });
      expect(paths()).toEqual(['/v1/payment_intents', '/v1/payment_intents/pi_7/cancel']);
      expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1-void']);
      const form = Object.fromEntries(received[0]?.form ?? []);
      expect(form, 'a payment that neither charges nor appears in a search').toEqual({
        amount: '1999',
        currency: 'usd',
      });
    });

    test.each([
      ['succeeded', { status: 'succeeded', paymentId: 'pi_5' }],
      ['canceled', { status: 'declined', reason: 'card_declined', paymentId: 'pi_5' }],
    ])('it received, and that %s', async (status, expected) => {
      answer = ({ path, method }) => {
        if (path.includes('/search')) return search({ id: 'pi_5', status: 'processing' });
        return method === 'POST' ? [400, clash] : [200, { id: 'pi_5', status }];
      };
      expect(await stripe.recover(CHARGE)).toEqual(expected);
      expect(paths()).toEqual([
        '/v1/payment_intents',
        '/v1/payment_intents/search',
        '/v1/payment_intents/pi_5',
      ]);
    });

    test.each([
      ['is not in the search yet', []],
      ['has not ended', [{ id: 'pi_5', status: 'processing' }]],
    ])('it received, and that %s: it stays open', async (_, found) => {
      answer = ({ path, method }) => {
        if (path.includes('/search')) return search(...found);
        return method === 'POST' ? [400, clash] : [200, { id: 'pi_5', status: 'processing' }];
      };
      await expect(stripe.recover(CHARGE)).rejects.toMatchObject({ name: 'ApiError' });
    });

    test('is older than its stored keys: nothing is created, and the search decides', async () => {
      answer = () => search();
      expect(await stripe.recover(OLD)).toEqual({ status: 'not made' });
      expect(paths()).toEqual(['/v1/payment_intents/search']);
    });

    test('it cannot process: no request is sent', async () => {
      expect(await stripe.recover({ ...CHARGE, amount: 1234, currency: 'BHD' })).toEqual({
        status: 'not made',
      });
      expect(received).toEqual([]);
    });
  });

  test('gets one request: a retry would arrive after the caller got a response', async () => {
    advice = undefined;
    answer = () => [503, error('api_error')];
    await expect(stripe.charge(CHARGE)).rejects.toMatchObject({ code: 'payment_gateway_unavailable' });
    expect(received).toHaveLength(1);
  });

  test('refunds a part in the minor units of its currency', async () => {
    answer = () => [200, { id: 're_1', status: 'succeeded' }];
    await stripe.refund({ ...REFUND, isWhole: false, amount: 500 });
    expect(received[0]?.form.get('amount')).toBe('500');
    await stripe.refund({ ...REFUND, isWhole: false, amount: 7, currency: 'ISK' });
    expect(received[1]?.form.get('amount')).toBe('700');
  });

  test('gets no request for a part below the minimum for cards', async () => {
    expect(await stripe.refund({ ...REFUND, isWhole: false, amount: 1234, currency: 'BHD' })).toEqual({
      status: 'refused',
      problem: 'has more digits than cards in BHD can be paid',
    });
    expect(received).toEqual([]);
  });

  test('has less left than the requested part', async () => {
    answer = () => [400, error('invalid_request_error', { param: 'amount' })];
    expect(await stripe.refund({ ...REFUND, isWhole: false, amount: 500 })).toEqual({ status: 'failed' });
    expect(faults).toHaveLength(1);
  });

  test.each(['charge_disputed', 'charge_not_refundable', 'refund_disputed_payment'])(
    'does not refund the payment, for good: %s',
    async (code) => {
      answer = () => [400, error('invalid_request_error', { code })];
      expect(await stripe.refund(REFUND)).toEqual({ status: 'failed' });
      expect(faults).toEqual([expect.objectContaining({ code })]);
    },
  );

  test.each(['balance_insufficient', 'resource_missing'])(
    'may refund the payment later: %s',
    async (code) => {
      answer = () => [400, error('invalid_request_error', { code })];
      await expect(stripe.refund(REFUND)).rejects.toMatchObject({ code: 'payment_gateway_failed' });
    },
  );

  describe('lists the refunds of a payment if it may have forgotten the key of one, which', () => {
    const at = (time: Date) => Math.floor(time.getTime() / 1000);
    const other = { id: 're_1', amount: 500, status: 'succeeded', metadata: { reference: 'another-key' } };
    const before = { ...other, id: 're_2', metadata: {}, created: at(OLD.since) - 3600 };
    const list = (...data: object[]): [number, unknown] => [200, { object: 'list', data, has_more: false }];
    const created = () => received.filter(({ method }) => method === 'POST').length;

    test.each([
      ['was made', { ...other, id: 're_9', metadata: { reference: OLD_PART.key } }],
      ['was made in the dashboard', { ...before, id: 're_9', created: at(OLD.since) }],
    ])('%s: it is not made again', async (_, refund) => {
      answer = () => list(other, before, { created: 0, ...refund });
      expect(await stripe.refund(OLD_PART)).toEqual({ status: 'succeeded' });
      expect(created()).toBe(0);
      const { pathname, searchParams } = new URL(received[0]?.path ?? '', 'http://stripe.test');
      expect([pathname, searchParams.get('payment_intent')]).toEqual(['/v1/refunds', 'pi_1']);
    });

    test('was not made: it is made', async () => {
      answer = ({ method }) =>
        method === 'GET' ? list(other, before) : [200, { id: 're_3', status: 'succeeded' }];
      expect(await stripe.refund(OLD_PART)).toEqual({ status: 'succeeded' });
      expect(created()).toBe(1);
    });

    test('cannot be listed: nothing is made', async () => {
      answer = () => [503, error('api_error')];
      await expect(stripe.refund(OLD_PART)).rejects.toMatchObject({ code: 'payment_gateway_unavailable' });
      expect(created()).toBe(0);
    });
  });

  test('refunds with our idempotency key', async () => {
    answer = () => [200, { id: 're_1', status: 'succeeded' }];
    await stripe.refund(REFUND);
    expect(received[0]?.form.get('payment_intent')).toBe('pi_1');
    // The whole amount, whatever it is.
    expect(received[0]?.form.has('amount')).toBe(false);
    expect(received[0]?.headers['idempotency-key']).toBe('key-1-refund');
    expect(received[0]?.form.get('metadata[reference]')).toBe('key-1-refund');
  });

  test.each([
    ['succeeded', undefined, { status: 'succeeded', paymentId: 'pi_4' }],
    [
      'requires_payment_method',
      { code: 'card_declined', decline_code: 'insufficient_funds' },
      { status: 'declined', reason: 'insufficient_funds', paymentId: 'pi_4' },
    ],
    ['canceled', undefined, { status: 'declined', reason: 'card_declined', paymentId: 'pi_4' }],
  ])('is queried for the status of a payment, and returns %s', async (status, lastError, expected) => {
    // The same key always returns its first response.
    answer = ({ method }) => [
      200,
      { id: 'pi_4', status: method === 'POST' ? 'processing' : status, last_payment_error: lastError },
    ];
    expect(await stripe.charge(CHARGE)).toEqual(expected);
    expect(received.map(({ path }) => path)).toEqual(['/v1/payment_intents', '/v1/payment_intents/pi_4']);
  });

  test.each(['failed', 'canceled'])('has not refunded if the refund is %s', async (status) => {
    answer = ({ method }) => [200, { id: 're_1', status: method === 'POST' ? 'pending' : status }];
    const refund = stripe.refund(REFUND);
    expect(await refund).toEqual({ status: 'failed' });
    expect(faults).toHaveLength(1);
  });

  test('declines', async () => {
    const more = {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      payment_intent: { id: 'pi_3' },
    };
    answer = () => [402, error('card_error', more)];
    expect(await stripe.charge(CHARGE)).toEqual({
      status: 'declined',
      reason: 'insufficient_funds',
      paymentId: 'pi_3',
    });
  });

  test('refuses an unknown source', async () => {
    answer = () => [
      400,
      error('invalid_request_error', { param: 'payment_method', code: 'resource_missing' }),
    ];
    expect(await stripe.charge(CHARGE)).toMatchObject({ status: 'refused', at: 'source' });
  });

  test.each([
    ['a wrong key', 401, error('invalid_request_error'), 'payment_gateway_failed', 1],
    ['a request that is invalid', 400, error('invalid_request_error'), 'payment_gateway_failed', 1],
    ['an internal error', 500, error('api_error'), 'payment_gateway_failed', 1],
    ['nonsense', 200, 'not json', 'payment_gateway_failed', 1],
    ['too many requests', 429, error('rate_limit_error'), 'payment_gateway_unavailable', 0],
    ['downtime', 503, error('api_error'), 'payment_gateway_unavailable', 0],
    ['a payment in progress', 200, { id: 'pi_4', status: 'processing' }, 'payment_gateway_failed', 0],
  ])('returns %s', async (_, status, body, code, told) => {
    answer = () => [status, body];
    await expect(stripe.charge(CHARGE)).rejects.toMatchObject({ code, retryAfter: 1 });
    expect(faults).toHaveLength(told);
    expect(JSON.stringify(faults)).not.toContain(SECRET);
  });

  test('is unreachable', async () => {
    server.closeAllConnections();
    server.close();
    await expect(stripe.charge(CHARGE)).rejects.toMatchObject({ code: 'payment_gateway_unavailable' });
  });
});

test.each([
  [1999, 'USD', 1999],
  [500, 'JPY', 500],
  [500, 'ISK', 50_000],
  [500, 'MGA', 5],
  [501, 'MGA', undefined],
  [1230, 'BHD', 1230],
  [1234, 'BHD', undefined],
])('%i of %s is %s for Stripe', (amount, currency, expected) => {
  expect(stripeAmount(amount, currency)).toBe(expected);
});
