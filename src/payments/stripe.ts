import Stripe from 'stripe';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { HOUR, LIMITS, MINUTE, SECOND } from '../core/limits.ts';
import type {
  ChargeRequest,
  ChargeResult,
  Gateway,
  RecoveryRequest,
  RecoveryResult,
  RefundRequest,
  RefundResult,
  Settled,
} from './gateway.ts';
import { stripeAmount } from './stripe-amounts.ts';

/** The API version that this file was written for. Stripe responds in it, whatever the account's default version is. */
const API_VERSION = '2026-10-28.endive';

/**
 * No retries by the package, which would take longer than a client waits: the client or the reconciler repeats a request without a
 * response, with the same idempotency key. The package still repeats a request once if its connection was closed at once.
 */
const NETWORK_RETRIES = 0;

/**
 * Milliseconds for which Stripe reliably remembers an idempotency key: an hour less than the day after which it may forget the key
 * (https://docs.stripe.com/api/idempotent_requests) and would treat the same request as a new one.
 */
const KEY_MEMORY = 23 * HOUR;

/** Milliseconds by which Stripe's clock may be behind ours. */
const CLOCK_SKEW = 5 * MINUTE;

interface StripeOptions {
  /** `sk_…` or `rk_…`. */
  readonly secretKey: string;
  readonly clock: Clock;
  /** The address of the API, for tests with a server other than Stripe's. */
  readonly address?: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' };
  /** Called with faults that an operator has to fix: a wrong key, an invalid request. It never receives a secret. */
  readonly onFault: (fault: StripeFault) => void;
}

/** The parts of a Stripe error that may be logged. Its message is left out, since it repeats parts of keys. */
export interface StripeFault {
  readonly type: string;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

/** A gateway that uses Stripe's Payment Intents. */
export class StripeGateway implements Gateway {
  readonly #stripe: Stripe;
  readonly #clock: Clock;
  readonly #onFault: StripeOptions['onFault'];

  constructor({ secretKey, clock, address, onFault }: StripeOptions) {
    this.#stripe = new Stripe(secretKey, {
      apiVersion: API_VERSION,
      timeout: LIMITS.stripeTimeout,
      maxNetworkRetries: NETWORK_RETRIES,
      telemetry: false,
      appInfo: { name: 'Portico' },
      ...address,
    });
    this.#clock = clock;
    this.#onFault = onFault;
  }

  async charge(request: ChargeRequest): Promise<ChargeResult> {
    const amount = stripeAmount(request.amount, request.currency);
    if (amount === undefined) {
      const problem = `has more digits than cards in ${request.currency} can pay`;
      return { status: 'refused', at: 'amount', problem };
    }
    try {
      const made = this.#mayBeForgotten(request) ? await this.#find(request) : undefined;
      return endOf(made ?? (await this.#pay(request, amount)));
    } catch (error) {
      return refusalIn(error) ?? this.#fail(error);
    }
  }

  async recover(request: RecoveryRequest): Promise<RecoveryResult> {
    // `charge` has refused this amount without a request to Stripe.
    const amount = stripeAmount(request.amount, request.currency);
    if (amount === undefined) return { status: 'not made' };
    try {
      const isForgotten = this.#mayBeForgotten(request);
      if (!isForgotten && (await this.#spendKey(request, amount))) return { status: 'not made' };
      const found = await this.#find(request);
      // The result of the search is up to a minute old.
      if (found) return endOf(await this.#stripe.paymentIntents.retrieve(found.id));
      if (isForgotten) return { status: 'not made' };
    } catch (error) {
      this.#fail(error);
    }
    throw new ApiError('payment_gateway_unavailable', {
      message: 'The payment gateway has the charge, but does not report its outcome yet.',
    });
  }

  async refund(request: RefundRequest): Promise<RefundResult> {
    const { amount, currency, isWhole } = request;
    if (!isWhole && stripeAmount(amount, currency) === undefined) {
      return { status: 'refused', problem: `has more digits than cards in ${currency} can be paid` };
    }
    try {
      const made = this.#mayBeForgotten(request) ? await this.#findRefund(request) : undefined;
      return await this.#endOfRefund(made ?? (await this.#createRefund(request)));
    } catch (error) {
      // The charge was already refunded in Stripe's dashboard.
      if (error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded') {
        return { status: 'succeeded' };
      }
      const failure = this.#failureOf(error);
      if (isFinalOfRefund(error)) return { status: 'failed' };
      throw failure;
    }
  }

  #mayBeForgotten({ since }: Pick<RecoveryRequest, 'since'>): boolean {
    return this.#clock().getTime() - since.getTime() > KEY_MEMORY;
  }

  /** Creates and confirms the payment of a charge. Returns it in its current state. */
  async #pay(request: ChargeRequest, amount: number): Promise<Stripe.PaymentIntent> {
    const { key, chargeId, currency } = request;
    const method = await this.#methodOf(request);
    const intent = await this.#stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        payment_method: method,
        confirm: true,
        // There is no browser to redirect to a bank: a card that requires it is declined.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        error_on_requires_action: true,
        metadata: { charge_id: String(chargeId), reference: key },
      },
      { idempotencyKey: key },
    );
    if (intent.status === 'succeeded') return intent;
    // For a repeated key Stripe returns its first response, so the current status of the payment is retrieved.
    return this.#stripe.paymentIntents.retrieve(intent.id);
  }

  /** Returns the payment method of a source. A card token, which can be used once, is converted to a payment method first. */
  async #methodOf({ key, source }: ChargeRequest): Promise<string> {
    if (!source.startsWith('tok_')) return source;
    const method = await this.#stripe.paymentMethods.create(
      { type: 'card', card: { token: source } },
      { idempotencyKey: `${key}-method` },
    );
    return method.id;
  }

  /** Finds the payment of a charge by its reference, which is in the metadata. */
  async #find({ key }: RecoveryRequest): Promise<Stripe.PaymentIntent | undefined> {
    const query = `metadata['reference']:'${key}'`;
    const { data } = await this.#stripe.paymentIntents.search({ query, limit: 1 });
    return data[0];
  }

  /**
   * Uses up the idempotency key of a charge with a payment that is cancelled at once, so that a request that is still on the way is
   * refused: Stripe reports an error for a known key with other parameters.
   *
   * @returns true if the key was free, false if Stripe has already received the charge.
   */
  async #spendKey({ key, currency }: RecoveryRequest, amount: number): Promise<boolean> {
    const { paymentIntents } = this.#stripe;
    try {
      const { id } = await paymentIntents.create(
        { amount, currency: currency.toLowerCase() },
        { idempotencyKey: key },
      );
      // The cancellation has its own key, so that it may be repeated.
      await paymentIntents.cancel(id, {}, { idempotencyKey: `${key}-void` });
      return true;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeIdempotencyError) return false;
      throw error;
    }
  }

  /** Makes a refund, or returns the one that an earlier request with its key has made. */
  #createRefund({ key, paymentId, amount, currency, isWhole }: RefundRequest): Promise<Stripe.Refund> {
    const part = isWhole ? undefined : stripeAmount(amount, currency);
    return this.#stripe.refunds.create(
      {
        payment_intent: paymentId,
        ...(part !== undefined && { amount: part }),
        metadata: { reference: key },
      },
      { idempotencyKey: key },
    );
  }

  /**
   * Finds the refund for a reference among those of its payment. One without a reference, of the same amount and made since, was made in
   * the dashboard instead: it must not be made again.
   */
  async #findRefund(request: RefundRequest): Promise<Stripe.Refund | undefined> {
    const { key, paymentId, amount, currency, since } = request;
    const wanted = stripeAmount(amount, currency);
    const earliest = since.getTime() - CLOCK_SKEW;
    let unnamed: Stripe.Refund | undefined;
    for await (const refund of this.#stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
      const reference = refund.metadata?.['reference'];
      if (reference === key) return refund;
      const mayBeIt = reference === undefined && refund.amount === wanted;
      if (mayBeIt && refund.created * SECOND >= earliest) unnamed ??= refund;
    }
    return unnamed;
  }

  async #endOfRefund(made: Stripe.Refund): Promise<RefundResult> {
    if (made.status === 'succeeded') return { status: 'succeeded' };
    const { status, failure_reason: code, lastResponse } = await this.#stripe.refunds.retrieve(made.id);
    if (status !== 'failed' && status !== 'canceled') return { status: 'succeeded' };
    const { statusCode, requestId } = lastResponse;
    this.#onFault({ type: `refund_${status}`, code, status: statusCode, requestId });
    return { status: 'failed' };
  }

  #fail(error: unknown): never {
    throw this.#failureOf(error);
  }

  /** Converts an error of Stripe that leaves the outcome open, and reports it if an operator has to fix it. */
  #failureOf(error: unknown): unknown {
    if (!(error instanceof Stripe.errors.StripeError)) return error;
    const { errors } = Stripe;
    // Temporary failures: no connection, no response in time, too many requests, or a running request with the same key.
    const isTemporary =
      error instanceof errors.StripeConnectionError ||
      error instanceof errors.StripeRateLimitError ||
      error.statusCode === 503 ||
      error.statusCode === 409;
    if (isTemporary) return new ApiError('payment_gateway_unavailable', { cause: error });
    const { type, code, statusCode, requestId } = error;
    this.#onFault({ type, code, status: statusCode, requestId });
    return new ApiError('payment_gateway_failed', { cause: error });
  }
}

/** Returns the outcome of a payment. @throws ApiError while the payment is pending. */
function endOf({ id, status, last_payment_error: error }: Stripe.PaymentIntent): Settled {
  if (status === 'succeeded') return { status: 'succeeded', paymentId: id };
  if (status === 'canceled' || status === 'requires_payment_method') {
    return {
      status: 'declined',
      reason: error?.decline_code ?? error?.code ?? 'card_declined',
      paymentId: id,
    };
  }
  throw new ApiError('payment_gateway_failed', {
    message: 'The payment is still pending. Retry the same request for its outcome.',
  });
}

/** Returns the final result that an error reports; undefined if the error is not final. */
function refusalIn(error: unknown): ChargeResult | undefined {
  if (error instanceof Stripe.errors.StripeCardError) {
    return {
      status: 'declined',
      reason: error.decline_code ?? error.code ?? 'card_declined',
      paymentId: error.payment_intent?.id ?? null,
    };
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409) {
    const at = partOf(error.param);
    if (at) return { status: 'refused', at, problem: PROBLEMS[at] };
  }
  return undefined;
}

/** Errors of a payment that Stripe does not refund: its owner has disputed it, or it can no longer be refunded. */
const NOT_REFUNDABLE = new Set(['charge_disputed', 'charge_not_refundable', 'refund_disputed_payment']);

/** Whether an error means that a refund was not made, and will not be. */
const isFinalOfRefund = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  // A part of the charge was refunded in the dashboard, and the rest is less than this amount.
  (error.param === 'amount' || NOT_REFUNDABLE.has(error.code ?? ''));

const PROBLEMS = {
  source: 'is unknown to the payment gateway, or was already used',
  amount: 'is not an amount that the payment gateway accepts in this currency',
  currency: 'is not a currency that the payment gateway accepts',
} as const;

/** Returns the part of a charge that one of Stripe's parameters comes from. */
function partOf(parameter: string | undefined): keyof typeof PROBLEMS | undefined {
  if (parameter === 'amount' || parameter === 'currency') return parameter;
  return parameter === 'payment_method' || parameter === 'card[token]' ? 'source' : undefined;
}
