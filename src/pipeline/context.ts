import { Loaders } from '../../resolvers/shared/loaders.ts';
import type { ApiKeys } from '../auth/api-keys.ts';
import type { Principal } from '../auth/policy.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Clock } from '../core/clock.ts';
import type { Cursors } from '../core/cursors.ts';
import type { Ending } from '../core/deadline.ts';
import type { ApiError } from '../core/errors.ts';
import type { Flow } from '../core/fair-queue.ts';
import type { FairSlots } from '../core/fair-slots.ts';
import type { Secrets } from '../core/secrets.ts';
import type { SignedMessage } from '../core/signatures.ts';
import type { UnderWay } from '../core/under-way.ts';
import type { Vault } from '../core/vault.ts';
import { type BoundDatabase, boundTo } from '../db/bound.ts';
import type { Database } from '../db/database.ts';
import { PlainWork } from '../idempotency/plain-work.ts';
import type { Work } from '../idempotency/work.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Gateway } from '../payments/gateway.ts';
import type { PaymentConflict } from '../payments/settling.ts';
import type { VerifyStripeEvent } from '../payments/stripe-webhooks.ts';
import type { Budget } from '../rate-limit/budget.ts';
import type { Targets } from '../webhooks/targets.ts';
import type { NoteDeprecatedUse } from './deprecated-uses.ts';
import { flowOf } from './flow.ts';
import type { Scheduler } from './scheduler.ts';
import { Spending } from './spending.ts';

/** What lives as long as the process and is shared by all requests. */
export interface Services {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly cursors: Cursors;
  /** What each caller may spend. */
  readonly budget: Budget;
  /** When operations start. */
  readonly scheduler: Scheduler;
  /** How many expensive queries run at once. */
  readonly expensiveQueries: FairSlots;
  /** Where webhooks may be sent. */
  readonly targets: Targets;
  /** What encrypts secrets that the database keeps. */
  readonly vault: Vault;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Where traces go; left out where there are none. */
  readonly tracing?: Tracing;
  /** What seals the arguments of a request under its idempotency key. */
  readonly idempotencySecrets: () => Secrets;
  /** Changes whose outcome has to be kept, for a server that stops to wait for. */
  readonly underWay: UnderWay;
  /** What the payment provider signs its messages with. */
  readonly paymentEventsSecrets: readonly string[];
  /** Verifies messages of Stripe; undefined where none are taken. */
  readonly verifyStripeEvent: VerifyStripeEvent | undefined;
  /** Who moves money. */
  readonly gateway: Gateway;
  /** Milliseconds that a caller waits for the gateway. What it answers later counts all the same. */
  readonly gatewayTimeout: number;
  /** Told of a word of the payment provider that contradicts what is known of a charge. */
  readonly notePaymentConflict: (conflict: PaymentConflict) => void;
  /** Told of a late answer of the gateway that could not be written; the reconciler asks again. */
  readonly noteLateFailure: (error: unknown) => void;
  /** Where clients reach this server, without a slash at its end. */
  readonly publicUrl: string;
  /** The path of `publicUrl`, empty when that is a root. Each path that a response names begins with it. */
  readonly basePath: string;
  readonly noteDeprecatedUse: NoteDeprecatedUse;
}

/** Who is calling, as the door found out. */
export interface Caller {
  /** Null for a caller without usable credentials. */
  readonly principal: Principal | null;
  /** The IP address the request comes from, as far as proxies are trusted to tell it. */
  readonly address: string;
  /** When it called, read just before its context is made: its token and its budget go by that. */
  readonly at: Date;
  /** Why the credentials that were sent are of no use. It counts only where a caller is asked for at all. */
  readonly refusal?: ApiError;
  /** The message of the payment provider that the request is, with a signature that was verified. */
  readonly message?: SignedMessage;
}

/** What a resolver is given: the services, who is calling, and loaders that live as long as this request. */
export interface Context extends Services, Caller {
  readonly database: BoundDatabase;
  readonly loaders: Loaders;
  /** The database for what must be written whoever still waits: `database` ends when the request's time is up, and this goes on. */
  readonly lasting: Database;
  /** Where a stream goes on, as its transport remembered it for the client. It counts before what the operation says. */
  readonly resumeAfter?: string;
  /** Who answers for it, in budgets and in queues. */
  readonly flow: Flow;
  /** Aborted when the request's time is up, or nobody waits for its answer; undefined for one that may take its time. */
  readonly signal: Ending | undefined;
  /** What this request spends of its caller's budget. */
  readonly spending: Spending;
  /** How a mutation changes things. Under an idempotency key its field is given another one. */
  readonly work: Work;
  /** Members of the answer that are the outcome of an earlier request; whoever writes the answer says so. */
  readonly replayed: string[];
}

/**
 * @param signal aborted when the request's time is up, or nobody waits for its answer: `database` ends what it does then.
 *   Without one the request may take its time.
 */
export function createContext(services: Services, caller: Caller, signal?: Ending): Context {
  const {
    sessions,
    apiKeys,
    cursors,
    targets,
    vault,
    budget,
    scheduler,
    expensiveQueries,
    clock,
    metrics,
    publicUrl,
    basePath,
    noteDeprecatedUse,
    tracing,
  } = services;
  const { idempotencySecrets, underWay, paymentEventsSecrets, gateway, gatewayTimeout } = services;
  const { verifyStripeEvent, notePaymentConflict, noteLateFailure } = services;
  const { principal, address, at, refusal, message } = caller;
  const flow = flowOf(caller);
  const database = boundTo(services.database, signal, flow);
  const lasting = boundTo(services.database, undefined, flow);
  const loaders = new Loaders(database, principal);
  return {
    database,
    sessions,
    apiKeys,
    cursors,
    budget,
    scheduler,
    expensiveQueries,
    targets,
    vault,
    clock,
    metrics,
    idempotencySecrets,
    underWay,
    paymentEventsSecrets,
    gateway,
    gatewayTimeout,
    verifyStripeEvent,
    notePaymentConflict,
    noteLateFailure,
    publicUrl,
    basePath,
    noteDeprecatedUse,
    principal,
    address,
    at,
    loaders,
    flow,
    signal,
    spending: new Spending(budget, flow, at),
    ...(tracing && { tracing }),
    lasting,
    work: new PlainWork(database, lasting),
    replayed: [],
    ...(refusal && { refusal }),
    ...(message && { message }),
  };
}
