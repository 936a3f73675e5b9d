/**
 * What moves money, seen from here. Every request carries a key of its own: the same key is the same movement, however often
 * it is asked for.
 */
export interface Gateway {
  /**
   * Takes money from a source.
   *
   * @throws ApiError `payment_gateway_failed` or `payment_gateway_unavailable` when it is not known what happened: the same
   *   request may be made again.
   */
  charge(request: ChargeRequest): Promise<ChargeResult>;
  /**
   * Says what became of a charge that may have been asked for, without its source, which is not kept here. One that was not made
   * never will be, even if its request is still on the way: the key is used up.
   *
   * @throws ApiError as `charge`, also for a payment that has not ended.
   */
  recover(request: RecoveryRequest): Promise<RecoveryResult>;
  /**
   * Gives back what a charge took, or a part of it. The same key is the same refund.
   *
   * @throws ApiError as `charge`.
   */
  refund(request: RefundRequest): Promise<RefundResult>;
}

export interface RecoveryRequest {
  readonly key: string;
  /** Our id of the charge, for people who read the gateway's books, and for the events that it sends. */
  readonly chargeId: number;
  /** Minor units of the currency, by the exponents of ISO 4217. */
  readonly amount: number;
  readonly currency: string;
  /** When the gateway may first have been asked. Some know a key for a while only, and must look into their books after that. */
  readonly since: Date;
}

export interface ChargeRequest extends RecoveryRequest {
  /** The token that stands for what pays. */
  readonly source: string;
}

/** The responses that make or break a charge. */
export type Settled =
  | { readonly status: 'succeeded'; readonly paymentId: string }
  | { readonly status: 'declined'; readonly reason: string; readonly paymentId: string | null };

/** The responses that are final. A charge that was refused is one that the gateway does not even try. */
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
  /** Whether that is all that the charge took. */
  readonly isWhole: boolean;
}

/** `failed`: the money could not be given back, and will not be. `refused`: the gateway does not even try such an amount. */
export type RefundResult =
  | { readonly status: 'succeeded' }
  | { readonly status: 'failed' }
  | { readonly status: 'refused'; readonly problem: string };

/** What the gateway is asked for a refund of a charge that it knows as this payment. */
export function refundOf(
  {
    reference,
    amount,
    currency,
  }: { readonly reference: string; readonly amount: number; readonly currency: string },
  charge: { readonly paymentId: string; readonly amount: number },
): RefundRequest {
  const { paymentId } = charge;
  return { key: reference, paymentId, amount, currency, isWhole: amount === charge.amount };
}

/** The failure code of a charge that the gateway never made. Its idempotency key may be used again, for another charge. */
export const NOT_MADE = 'not_made';
