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

export interface StripeOptions {
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
export function createStripe({ secretKey, clock, address, onFault }: StripeOptions): Gateway {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: LIMITS.stripeTimeout,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    appInfo: { name: 'Portico' },
    ...address,
  });

  const mayBeForgotten = ({ since }: Pick<RecoveryRequest, 'since'>) =>
    clock().getTime() - since.getTime() > KEY_MEMORY;

  return {
    async charge(request: ChargeRequest): Promise<ChargeResult> {
      const { key, chargeId, currency } = request;
      const amount = stripeAmount(request.amount, currency);
      if (amount === undefined) {
        return {
          status: 'refused',
          at: 'amount',
          problem: `has more digits than cards in ${currency} can pay`,
        };
      }
      try {
        const made = mayBeForgotten(request) ? await findIntent(stripe, key) : undefined;
        if (made) return endOf(made);
        const method = await methodOf(stripe, request);
        const intent = await stripe.paymentIntents.create(
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
        if (intent.status === 'succeeded') return { status: 'succeeded', paymentId: intent.id };
        // For a repeated key Stripe returns its first response, so the current status of the payment is retrieved.
        return endOf(await stripe.paymentIntents.retrieve(intent.id));
      } catch (error) {
        return resultOf(error, onFault);
      }
    },

    async recover(request: RecoveryRequest): Promise<RecoveryResult> {
      // `charge` has refused this amount without a request to Stripe.
      if (stripeAmount(request.amount, request.currency) === undefined) return { status: 'not made' };
      try {
        if (!mayBeForgotten(request) && (await spendKey(stripe, request))) return { status: 'not made' };
        const found = await findIntent(stripe, request.key);
        // The result of the search is up to a minute old.
        if (found) return endOf(await stripe.paymentIntents.retrieve(found.id));
        if (mayBeForgotten(request)) return { status: 'not made' };
      } catch (error) {
        throw failureOf(error, onFault);
      }
      throw new ApiError('payment_gateway_unavailable', {
        message: 'The payment gateway has the charge, but does not report its outcome yet.',
      });
    },

    async refund(request: RefundRequest): Promise<RefundResult> {
      const { currency, isWhole } = request;
      if (!isWhole && stripeAmount(request.amount, currency) === undefined) {
        return { status: 'refused', problem: `has more digits than cards in ${currency} can be paid` };
      }
      try {
        const made = mayBeForgotten(request) ? await findRefund(stripe, request) : undefined;
        const first = made ?? (await createRefund(stripe, request));
        if (first.status === 'succeeded') return { status: 'succeeded' };
        const { status, failure_reason: code, lastResponse } = await stripe.refunds.retrieve(first.id);
        if (status === 'failed' || status === 'canceled') {
          onFault({
            type: `refund_${status}`,
            code,
            status: lastResponse.statusCode,
            requestId: lastResponse.requestId,
          });
          return { status: 'failed' };
        }
        return { status: 'succeeded' };
      } catch (error) {
        // The charge was already refunded in Stripe's dashboard.
        if (error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded') {
          return { status: 'succeeded' };
        }
        // A part of the charge was refunded there, and the rest is less than this amount.
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'amount') {
          failureOf(error, onFault);
          return { status: 'failed' };
        }
        throw failureOf(error, onFault);
      }
    },
  };
}

/** Returns the outcome of a payment that did not succeed at once. @throws ApiError while the payment is pending. */
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

/**
 * Uses up the idempotency key of a charge with a payment that is cancelled at once, so that a request that is still on the way is
 * refused: Stripe reports an error for a known key with other parameters.
 *
 * @returns true if the key was free, false if Stripe has already received the charge.
 */
async function spendKey(stripe: Stripe, { key, amount, currency }: RecoveryRequest): Promise<boolean> {
  try {
    const { id } = await stripe.paymentIntents.create(
      { amount: stripeAmount(amount, currency) ?? amount, currency: currency.toLowerCase() },
      { idempotencyKey: key },
    );
    // The cancellation has its own key, so that it may be repeated.
    await stripe.paymentIntents.cancel(id, {}, { idempotencyKey: `${key}-void` });
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError) return false;
    throw error;
  }
}

/** Finds the payment for a reference, which is in its metadata. */
async function findIntent(stripe: Stripe, reference: string): Promise<Stripe.PaymentIntent | undefined> {
  const { data } = await stripe.paymentIntents.search({
    query: `metadata['reference']:'${reference}'`,
    limit: 1,
  });
  return data[0];
}

/** Makes a refund, or returns the one that an earlier request with its key has made. */
async function createRefund(stripe: Stripe, request: RefundRequest): Promise<Stripe.Refund> {
  const { key, paymentId, amount, currency, isWhole } = request;
  const part = isWhole ? undefined : stripeAmount(amount, currency);
  try {
    return await stripe.refunds.create(
      {
        payment_intent: paymentId,
        ...(part !== undefined && { amount: part }),
        metadata: { reference: key },
      },
      { idempotencyKey: key },
    );
  } catch (error) {
    // A former version of the server has sent the request, without metadata.
    const isKnown = error instanceof Stripe.errors.StripeIdempotencyError;
    const made = isKnown ? await findRefund(stripe, request) : undefined;
    if (made) return made;
    throw error;
  }
}

/**
 * Finds the refund for a reference among those of its payment. One without a reference, of the same amount and made since, is that of a
 * former version of the server, or was made in the dashboard instead: it must not be made again.
 */
async function findRefund(
  stripe: Stripe,
  { key, paymentId, amount, currency, since }: RefundRequest,
): Promise<Stripe.Refund | undefined> {
  const wanted = stripeAmount(amount, currency);
  const earliest = since.getTime() - CLOCK_SKEW;
  let unnamed: Stripe.Refund | undefined;
  for await (const refund of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
    const reference = refund.metadata?.['reference'];
    if (reference === key) return refund;
    const mayBeIt = reference === undefined && refund.amount === wanted;
    if (mayBeIt && refund.created * SECOND >= earliest) unnamed ??= refund;
  }
  return unnamed;
}

/** Returns the payment method of a source. A card token, which can be used once, is converted to a payment method first. */
async function methodOf(stripe: Stripe, { key, source }: ChargeRequest): Promise<string> {
  if (!source.startsWith('tok_')) return source;
  const method = await stripe.paymentMethods.create(
    { type: 'card', card: { token: source } },
    { idempotencyKey: `${key}-method` },
  );
  return method.id;
}

/** Returns the final result that an error reports. @throws ApiError if the error is not final. */
function resultOf(error: unknown, onFault: StripeOptions['onFault']): ChargeResult {
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
  throw failureOf(error, onFault);
}

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

function failureOf(error: unknown, onFault: StripeOptions['onFault']): unknown {
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
  onFault({ type, code, status: statusCode, requestId });
  return new ApiError('payment_gateway_failed', { cause: error });
}
