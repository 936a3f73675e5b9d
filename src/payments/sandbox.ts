import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import type { Database } from '../db/database.ts';
import { enterPayment, type NewSandboxPayment, type SandboxPaymentRow } from '../db/queries/sandbox.ts';
import {
  type ChargeRequest,
  type ChargeResult,
  type Gateway,
  NOT_MADE,
  type RecoveryRequest,
  type RecoveryResult,
  type RefundRequest,
  type RefundResult,
  type Settled,
} from './gateway.ts';

/** The behaviour of each source. Other sources are refused. */
const SOURCES: ReadonlyMap<string, 'pays' | 'pays late' | 'declines' | 'fails' | 'is away'> = new Map([
  ['tok_visa', 'pays'],
  ['tok_mastercard', 'pays'],
  ['tok_amex', 'pays'],
  ['tok_slow', 'pays late'],
  ['tok_declined', 'declines'],
  ['tok_bad_gateway', 'fails'],
  ['tok_unavailable', 'is away'],
]);

const UNKNOWN: ChargeResult = {
  status: 'refused',
  at: 'source',
  problem: `must be a source of the sandbox: ${[...SOURCES.keys()].join(', ')}`,
};

/** Milliseconds that `tok_slow` takes: long enough to be noticed, and shorter than the timeout. */
const LATE = 2000;

interface SandboxOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Milliseconds that `tok_slow` takes. */
  readonly late?: number;
}

/**
 * A gateway that moves no money but keeps records as if it did, in its own table and transactions: like the records of an external
 * company, they are not rolled back when something fails here. For demonstration, development and tests.
 */
export function createSandbox({ database, clock, late = LATE }: SandboxOptions): Gateway {
  const enterOrFind = (payment: Omit<NewSandboxPayment, 'createdAt'>): Promise<SandboxPaymentRow> =>
    database.transaction((tx) => enterPayment(tx, { ...payment, createdAt: clock() }));

  async function enter(payment: Omit<NewSandboxPayment, 'createdAt'>): Promise<SandboxPaymentRow> {
    const entered = await enterOrFind(payment);
    if (entered.request === payment.request) return entered;
    throw new ApiError('payment_gateway_failed', {
      cause: new Error(`The sandbox has another request under the key ${payment.key}.`),
    });
  }

  return {
    async charge({ key, amount, currency, source }: ChargeRequest): Promise<ChargeResult> {
      const behaviour = SOURCES.get(source);
      if (behaviour === undefined) return UNKNOWN;
      if (behaviour === 'fails') throw new ApiError('payment_gateway_failed');
      if (behaviour === 'is away') throw new ApiError('payment_gateway_unavailable');
      const declines = behaviour === 'declines';
      const entered = await enter({
        key,
        request: `charge ${amount} ${currency} ${source}`,
        paymentId: `sandbox_${randomUUID()}`,
        moved: declines ? 0 : amount,
        currency,
        declined: declines ? 'card_declined' : null,
      });
      if (behaviour === 'pays late') await sleep(late);
      return endOf(entered);
    },

    async recover({ key, currency }: RecoveryRequest): Promise<RecoveryResult> {
      // Enters a void under the key. Whichever of void and charge comes first, the other one finds it.
      const paymentId = `sandbox_${randomUUID()}`;
      const entered = await enterOrFind({
        key,
        request: VOID,
        paymentId,
        moved: 0,
        currency,
        declined: NOT_MADE,
      });
      return entered.request === VOID ? { status: 'not made' } : endOf(entered);
    },

    async refund({ key, paymentId, amount, currency }: RefundRequest): Promise<RefundResult> {
      const request = `refund ${amount} ${currency} of ${paymentId}`;
      await enter({ key, request, paymentId, moved: -amount, currency, declined: null });
      return { status: 'succeeded' };
    },
  };
}

/** The request of an entry that uses up the key of a charge that was not made. */
const VOID = 'void';

const endOf = ({ paymentId, declined }: SandboxPaymentRow): Settled =>
  declined === null
    ? { status: 'succeeded', paymentId }
    : { status: 'declined', reason: declined, paymentId };
