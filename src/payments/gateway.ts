import { ApiError } from '../core/errors.ts';
import { unlessLate } from '../core/promises.ts';
import type { RefundRow } from '../db/rows.ts';

/**
 * A payment provider. Every request has a key of its own: requests with the same key move money only once.
 */
export interface Gateway {
  /**
   * Charges a source.
   *
   * @throws ApiError `payment_gateway_failed` or `payment_gateway_unavailable` if the outcome is unknown: the same request may be
   *   repeated.
   */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /**
   * Determines the outcome of a charge that may have been requested, without its source, which is not stored here. If the charge
   * was not made, its key is used up, so that it never will be, even if its request is still on the way.
   *
   * @throws ApiError like `charge`, also for a payment that is still pending.
   */
  recover(request: RecoveryRequest): Promise<RecoveryResult>;
  /**
   * Refunds a charge in full or in part. Requests with the same key are the same refund.
   *
   * @throws ApiError like `charge`.
   */
  refund(request: RefundRequest): Promise<RefundResult>;
}

export interface RecoveryRequest {
  readonly key: string;
  /** Our id of the charge, for people who read the gateway's records, and for the events that it sends. */
  readonly chargeId: number;
  /** Minor units of the currency, by the exponents of ISO 4217. */
  readonly amount: number;
  readonly currency: string;
  /** When the gateway may first have received the request. Some remember a key only for a while, and then search their records. */
  readonly since: Date;
}

export interface ChargeRequest extends RecoveryRequest {
  /** The token of the payment source. */
  readonly source: string;
}

/** The responses that settle a charge. */
export type Settled =
  | { readonly status: 'succeeded'; readonly paymentId: string }
  | { readonly status: 'declined'; readonly reason: string; readonly paymentId: string | null };

/** The final responses. `refused`: the gateway does not attempt the charge. */
export type ChargeResult =
  | Settled
  | { readonly status: 'refused'; readonly at: 'amount' | 'currency' | 'source'; readonly problem: string };

export type RecoveryResult = Settled | { readonly status: 'not made' };

export interface RefundRequest {
  readonly key: string;
  readonly paymentId: string;
  /** Minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** Whether this is the whole amount of the charge. */
  readonly isWhole: boolean;
  /** When the gateway may first have received the request, as for a charge. */
  readonly since: Date;
}

/** `failed`: the refund has failed for good. `refused`: the gateway does not attempt a refund of this amount. */
export type RefundResult =
  | { readonly status: 'succeeded' }
  | { readonly status: 'failed' }
  | { readonly status: 'refused'; readonly problem: string };

/** Creates the request for the refund of a charge. */
export function refundOf(
  {
    reference,
    amount,
    currency,
    createdAt,
  }: Pick<RefundRow, 'reference' | 'amount' | 'currency' | 'createdAt'>,
  charge: { readonly paymentId: string; readonly amount: number },
): RefundRequest {
  const { paymentId } = charge;
  const isWhole = amount === charge.amount;
  return { key: reference, paymentId, amount, currency, isWhole, since: createdAt };
}

/** The failure code of a charge that the gateway never made. Its idempotency key may be reused for another charge. */
export const NOT_MADE = 'not_made';

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
