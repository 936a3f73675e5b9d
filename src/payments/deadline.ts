import { ApiError } from '../core/errors.ts';

/**
 * Waits for a response of the gateway. A late one is not lost: the operation continues with it, and the caller alone is
 * gets `timeout`.
 *
 * @param timeout milliseconds.
 * @throws ApiError `payment_gateway_unavailable` after that time.
 */
export async function withTimeout<T>(answer: Promise<T>, timeout: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new ApiError('payment_gateway_unavailable', {
        message:
          'The payment gateway did not respond in time. Send the same request with the same idempotency key again: the one in the Idempotency-Key header of this response, if you sent none.',
      }),
    );
  }, timeout);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
