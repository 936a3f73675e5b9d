/** How long a caller waits for the payment gateway. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { withTimeout } from '../../src/payments/gateway.ts';
import { DEFAULTS } from '../support/settings.ts';

const PAID = { status: 'succeeded', paymentId: 'pay_1' } as const;
const LATE = { name: 'ApiError', code: 'payment_gateway_unavailable', status: 503, retryAfter: 1 };
const TIMEOUT = 250;

/** The current state of a promise. */
function watch(promise: Promise<unknown>) {
  const seen = { state: 'pending', error: undefined as unknown };
  promise.then(
    () => Object.assign(seen, { state: 'answered' }),
    (error: unknown) => Object.assign(seen, { state: 'failed', error }),
  );
  return seen;
}

describe('the payment gateway', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('times out after its deadline and not before', async () => {
    const { promise } = Promise.withResolvers();
    const seen = watch(withTimeout(promise, TIMEOUT));
    await vi.advanceTimersByTimeAsync(TIMEOUT - 1);
    expect(seen.state).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toMatchObject({ state: 'failed', error: LATE });
  });

  test('returns its response in time, and its timer is cleared', async () => {
    const { promise, resolve } = Promise.withResolvers();
    const seen = watch(withTimeout(promise, TIMEOUT));
    await vi.advanceTimersByTimeAsync(TIMEOUT - 1);
    resolve(PAID);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.state).toBe('answered');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('passes on its own errors', async () => {
    const { promise, reject } = Promise.withResolvers();
    const seen = watch(withTimeout(promise, TIMEOUT));
    const error = new ApiError('payment_gateway_failed');
    reject(error);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual({ state: 'failed', error });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('may fail after its deadline without consequences', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { promise, reject } = Promise.withResolvers();
    const seen = watch(withTimeout(promise, 5));
    await vi.advanceTimersByTimeAsync(5);
    reject(new Error('too late'));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(seen).toMatchObject({ state: 'failed', error: LATE });
    expect(unhandled).not.toHaveBeenCalled();
  });
});

test("the gateway times out before the request does and before the key's lease expires", () => {
  expect(LIMITS.gatewayTimeout).toBeLessThan(DEFAULTS.operations.deadline);
  expect(DEFAULTS.operations.deadline).toBeLessThan(LIMITS.idempotencyLease);
  // A response of Stripe within its own timeout reaches the caller, and the reconciler queries Stripe after
  // the lease.
  expect(LIMITS.stripeTimeout).toBeLessThan(LIMITS.gatewayTimeout);
  expect(LIMITS.idempotencyLease).toBeLessThan(LIMITS.reconcileAfter);
});
