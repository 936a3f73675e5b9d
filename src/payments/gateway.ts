/**
 * Who moves money, seen from here. Every request carries a key of its own: the same key is the same movement, however often
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
   * Gives back all that a charge took. Giving it back twice is once.
   *
   * @throws ApiError as `charge`.
   */
  refund(request: RefundRequest): Promise<void>;
}

export interface ChargeRequest {
  readonly key: string;
  /** Our id of the charge, for whoever reads the gateway's books, and for the events that it sends. */
  readonly chargeId: number;
  /** Minor units of the currency, by the exponents of ISO 4217. */
  readonly amount: number;
  readonly currency: string;
  /** The token that stands for what pays. */
  readonly source: string;
  /** When the gateway may first have been asked. Some know a key for a while only, and must look into their books after that. */
  readonly since: Date;
}

/** The answers that are final. A charge that was refused is one that the gateway does not even try. */
export type ChargeResult =
  | { readonly status: 'succeeded'; readonly paymentId: string }
  | { readonly status: 'declined'; readonly reason: string; readonly paymentId: string | null }
  | { readonly status: 'refused'; readonly at: 'amount' | 'currency' | 'source'; readonly problem: string };

export interface RefundRequest {
  readonly key: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
}
