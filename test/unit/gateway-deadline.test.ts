/** How long the payment gateway is waited for. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { withDeadline } from '../../src/payments/deadline.ts';
import type { Gateway } from '../../src/payments/gateway.ts';

const CHARGE = {
  key: 'key-1',
  chargeId: 7,
  amount: 1999,
  currency: 'USD',
  source: 'tok_visa',
  since: new Date(0),
};
const REFUND = { key: 'key-1-refund', paymentId: 'pay_1', amount: 1999, currency: 'USD' };
const PAID = { status: 'succeeded', paymentId: 'pay_1' } as const;
const LATE = { name: 'ApiError', code: 'payment_gateway_unavailable', status: 503, retryAfter: 1 };

const asks = [
  ['charge', (gateway: Gateway): Promise<unknown> => gateway.charge(CHARGE)],
  ['refund', (gateway: Gateway): Promise<unknown> => gateway.refund(REFUND)],
] as const;

/** A gateway that answers when and as the test says. */
function pendingGateway() {
  const { promise, resolve, reject } = Promise.withResolvers<typeof PAID>();
  const gateway: Gateway = { charge: () => promise, refund: () => promise.then(() => {}) };
  return { gateway, resolve: () => resolve(PAID), reject };
}

/** What becomes of a promise, as far as it is known when the test looks. */
function watch(promise: Promise<unknown>) {
  const seen = { state: 'pending', error: undefined as unknown };
  promise.then(
    () => Object.assign(seen, { state: 'answered' }),
    (error: unknown) => Object.assign(seen, { state: 'failed', error }),
  );
  return seen;
}

describe.each(asks)('a gateway that is asked to %s', (_, ask) => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['the bound of all requests', undefined, LIMITS.gatewayTimeout],
    ['one of its own', 250, 250],
  ])('is given up on after %s, and not before', async (_name, timeout, expected) => {
    const { gateway } = pendingGateway();
    const seen = watch(ask(withDeadline(gateway, timeout)));
    await vi.advanceTimersByTimeAsync(expected - 1);
    expect(seen.state).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toMatchObject({ state: 'failed', error: LATE });
  });

  test('is heard out when it answers in time, and its timer goes', async () => {
    const { gateway, resolve } = pendingGateway();
    const seen = watch(ask(withDeadline(gateway)));
    await vi.advanceTimersByTimeAsync(LIMITS.gatewayTimeout - 1);
    resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.state).toBe('answered');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('may say no in its own words', async () => {
    const { gateway, reject } = pendingGateway();
    const seen = watch(ask(withDeadline(gateway)));
    const error = new ApiError('payment_gateway_failed');
    reject(error);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual({ state: 'failed', error });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('harms nobody when it fails after it was given up on', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { gateway, reject } = pendingGateway();
    const seen = watch(ask(withDeadline(gateway, 5)));
    await vi.advanceTimersByTimeAsync(5);
    reject(new Error('too late'));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(seen).toMatchObject({ state: 'failed', error: LATE });
    expect(unhandled).not.toHaveBeenCalled();
  });
});

test('the gateway is given up on before the request is, and before its key is anybody else’s', () => {
  expect(LIMITS.gatewayTimeout).toBeLessThan(LIMITS.deadline);
  expect(LIMITS.deadline).toBeLessThan(LIMITS.idempotencyLease);
});
