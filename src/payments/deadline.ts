import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Gateway } from './gateway.ts';

/**
 * A gateway that is given up on after its time. What it still does then is not lost: the next request with the same key
 * learns of it.
 *
 * @param timeout milliseconds.
 */
export function withDeadline(gateway: Gateway, timeout: number = LIMITS.gatewayTimeout): Gateway {
  return {
    charge: (request) => inTime(gateway.charge(request), timeout),
    refund: (request) => inTime(gateway.refund(request), timeout),
  };
}

async function inTime<T>(answer: Promise<T>, timeout: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new ApiError('payment_gateway_unavailable', {
        message:
          'The payment gateway did not answer in time. Send the same request with the same idempotency key again.',
      }),
    );
  }, timeout);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
