import { ApiError } from '../core/errors.ts';
import { unlessLate } from '../core/promises.ts';

/**
 * Waits for a response of the gateway. A late response is not lost: only the caller gets an error, and the operation continues
 * when the response arrives.
 *
 * @param timeout milliseconds.
 * @throws ApiError `payment_gateway_unavailable` after that time.
 */
export const withTimeout = <T>(answer: Promise<T>, timeout: number): Promise<T> =>
  unlessLate(
    answer,
    timeout,
    () =>
      new ApiError('payment_gateway_unavailable', {
        message:
          'The payment gateway did not respond in time. Retry the same request with the same idempotency key. If you sent no key, use the one that the server generated and returned with this response.',
      }),
  );
