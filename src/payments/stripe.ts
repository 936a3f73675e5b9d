import Stripe from 'stripe';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
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

/** The version that this file was written for. Stripe answers in it however old or new the account's own is. */
const API_VERSION = '2026-10-28.endive';

/**
 * None that would take longer than a client waits: what has no response is asked again under the same idempotency key, by the client
 * or by the reconciler. The package itself repeats once a request whose connection was closed at once.
 */
const NETWORK_RETRIES = 0;

/**
 * Milliseconds for which Stripe surely knows an idempotency key: an hour less than the day after which it may forget it
 * (https://docs.stripe.com/api/idempotent_requests), and would take the same request for a new one.
 */
const KEY_MEMORY = 23 * 60 * 60 * 1000;

export interface StripeOptions {
  /** `sk_…` or `rk_…`. */
  readonly secretKey: string;
  readonly clock: Clock;
  /** Where its API is, for tests: another server than Stripe's own. */
  readonly address?: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' };
  /** Called with what an operator has to fix: a wrong key, a request that Stripe does not understand. Never of a secret. */
  readonly onFault: (fault: StripeFault) => void;
}

/** What Stripe said, as far as it may stand in a log. Its messages repeat parts of keys. */
export interface StripeFault {
  readonly type: string;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

/** Stripe's Payment Intents behind the port. */
export function createStripe({ secretKey, clock, address, onFault }: StripeOptions): Gateway {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: LIMITS.stripeTimeout,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    appInfo: { name: 'Portico' },
    ...address,
  });

  const mayBeForgotten = ({ since }: RecoveryRequest) => clock().getTime() - since.getTime() > KEY_MEMORY;

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
        // Under the same key Stripe says what it said the first time, so it is asked how the payment stands now.
        return endOf(await stripe.paymentIntents.retrieve(intent.id));
      } catch (error) {
        return resultOf(error, onFault);
      }
    },

    async recover(request: RecoveryRequest): Promise<RecoveryResult> {
      // It was refused before Stripe was asked.
      if (stripeAmount(request.amount, request.currency) === undefined) return { status: 'not made' };
      try {
        if (!mayBeForgotten(request) && (await spendKey(stripe, request))) return { status: 'not made' };
        const found = await findIntent(stripe, request.key);
        // What the search says is up to a minute old.
        if (found) return endOf(await stripe.paymentIntents.retrieve(found.id));
        if (mayBeForgotten(request)) return { status: 'not made' };
      } catch (error) {
        throw failureOf(error, onFault);
      }
      throw new ApiError('payment_gateway_unavailable', {
        message: 'The payment gateway knows the charge, and does not yet say what became of it.',
      });
    },

    async refund({ key, paymentId, amount, currency, isWhole }: RefundRequest): Promise<RefundResult> {
      const part = isWhole ? undefined : stripeAmount(amount, currency);
      if (!isWhole && part === undefined) {
        return { status: 'refused', problem: `has more digits than cards in ${currency} can be paid` };
      }
      try {
        const first = await stripe.refunds.create(
          { payment_intent: paymentId, ...(part !== undefined && { amount: part }) },
          { idempotencyKey: key },
        );
        const refund = first.status === 'succeeded' ? first : await stripe.refunds.retrieve(first.id);
        const { status, failure_reason: code, lastResponse } = refund;
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
        // It was refunded in Stripe's dashboard already.
        if (error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded') {
          return { status: 'succeeded' };
        }
        // A part of it was refunded there, and less is left than this.
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'amount') {
          failureOf(error, onFault);
          return { status: 'failed' };
        }
        throw failureOf(error, onFault);
      }
    },
  };
}

/** How a payment stands that did not succeed at once. @throws ApiError while it has not come to its end. */
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
 * Uses up the idempotency key of a charge with a payment that cannot be paid, so that a request which is still on the way is
 * refused: Stripe takes other parameters under a key that it knows for an error.
 *
 * @returns whether the key was free. It was not where the charge has come in before.
 */
async function spendKey(stripe: Stripe, { key, amount, currency }: RecoveryRequest): Promise<boolean> {
  try {
    const { id } = await stripe.paymentIntents.create(
      { amount: stripeAmount(amount, currency) ?? amount, currency: currency.toLowerCase() },
      { idempotencyKey: key },
    );
    // Under a key of its own, so that it may be repeated.
    await stripe.paymentIntents.cancel(id, {}, { idempotencyKey: `${key}-void` });
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError) return false;
    throw error;
  }
}

/** The payment that was made for a reference, which stands in its metadata. */
async function findIntent(stripe: Stripe, reference: string): Promise<Stripe.PaymentIntent | undefined> {
  const { data } = await stripe.paymentIntents.search({
    query: `metadata['reference']:'${reference}'`,
    limit: 1,
  });
  return data[0];
}

/** A token of a card, which is good for one use, becomes a payment method first. */
async function methodOf(stripe: Stripe, { key, source }: ChargeRequest): Promise<string> {
  if (!source.startsWith('tok_')) return source;
  const method = await stripe.paymentMethods.create(
    { type: 'card', card: { token: source } },
    { idempotencyKey: `${key}-method` },
  );
  return method.id;
}

/** What an error says that is final. @throws ApiError when nothing is. */
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
  source: 'is not known to the payment gateway, or was used before',
  amount: 'is not an amount that the payment gateway takes in this currency',
  currency: 'is not a currency that the payment gateway takes',
} as const;

/** Which part of a charge one of Stripe's parameters comes from. */
function partOf(parameter: string | undefined): keyof typeof PROBLEMS | undefined {
  if (parameter === 'amount' || parameter === 'currency') return parameter;
  return parameter === 'payment_method' || parameter === 'card[token]' ? 'source' : undefined;
}

function failureOf(error: unknown, onFault: StripeOptions['onFault']): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { errors } = Stripe;
  // No connection, no answer in time, too many requests, or another with the same key still running: it passes.
  const isPassing =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error.statusCode === 503 ||
    error.statusCode === 409;
  if (isPassing) return new ApiError('payment_gateway_unavailable', { cause: error });
  const { type, code, statusCode, requestId } = error;
  onFault({ type, code, status: statusCode, requestId });
  return new ApiError('payment_gateway_failed', { cause: error });
}
