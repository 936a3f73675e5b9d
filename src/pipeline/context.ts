import type {
  Caller as ResolverCaller,
  Context as ResolverContext,
  Services as ResolverServices,
} from '../../resolvers/shared/context.ts';
import { Loaders } from '../../resolvers/shared/loaders.ts';
import { originOf } from '../auth/origins.ts';
import type { Principal } from '../auth/policy.ts';
import type { Positions } from '../cluster/positions.ts';
import type { AbortSignalLike } from '../core/deadline.ts';
import type { ApiError } from '../core/errors.ts';
import type { Flow } from '../core/fair-queue.ts';
import type { FairSlots } from '../core/fair-slots.ts';
import type { SignedMessage } from '../core/signatures.ts';
import { type BoundDatabase, boundTo } from '../db/bound.ts';
import type { Origin, Originator } from '../db/origin.ts';
import { later, type Position } from '../db/position.ts';
import { PlainWork } from '../idempotency/plain-work.ts';
import type { Work } from '../idempotency/work.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { VerifyStripeEvent } from '../payments/stripe-webhooks.ts';
import type { Budget } from '../rate-limit/budget.ts';
import type { NoteDeprecatedUse } from './deprecated-uses.ts';
import { flowOf } from './flow.ts';
import { RequestCost } from './request-cost.ts';
import type { Scheduler } from './scheduler.ts';
import type { NoteOperation, NotePoints } from './usage.ts';

/** Who is calling, and when. */
export interface Caller extends ResolverCaller {
  /** Read just before the context is made: the caller's token and budget go by that. */
  readonly at: Date;
  /** What the client wants to see: the place of a change, as a response has named it. */
  readonly seen?: Position | undefined;
}

/** The services of resolvers, and those of the pipeline and the doors. */
export interface Services extends ResolverServices {
  /** What each caller may spend. */
  readonly budget: Budget;
  /** When operations start. */
  readonly scheduler: Scheduler;
  /** How many expensive queries run at once. */
  readonly expensiveQueries: FairSlots;
  readonly metrics: Metrics;
  /** Where traces go; left out where there are none. */
  readonly tracing?: Tracing;
  /** What the payment provider signs its messages with. */
  readonly paymentEventsSecrets: readonly string[];
  /** Verifies messages of Stripe; undefined where none are taken. */
  readonly verifyStripeEvent: VerifyStripeEvent | undefined;
  /** The path of `publicUrl`, empty when that is a root. Each path that a response names begins with it. */
  readonly basePath: string;
  readonly noteDeprecatedUse: NoteDeprecatedUse;
  /** Counts each request for its organisation. */
  readonly noteOperation: NoteOperation;
  /** Counts what an organisation spends on the events of its streams. */
  readonly notePoints: NotePoints;
  /** What callers have written last; undefined where all reads go to the primary. */
  readonly positions?: Positions | undefined;
}

/** What an operation runs with: what its resolvers are given, and what the steps of the pipeline need beside it. */
export interface Context extends ResolverContext, Services, Caller {
  readonly database: BoundDatabase;
  /** What this request spends of its caller's budget. */
  readonly requestCost: RequestCost;
  /** The place of what this request has written; undefined without replicas, and where it has written nothing. */
  readonly written: Position | undefined;
}

type MakeContext = (caller: Caller, signal: AbortSignalLike | undefined) => Context;

const makers = new WeakMap<Services, MakeContext>();

/**
 * @param signal aborted when the request's time is up, or no client waits for its response: `database` ends its work then.
 *   Without one the request has no deadline.
 */
export function createContext(services: Services, caller: Caller, signal?: AbortSignalLike): Context {
  let make = makers.get(services);
  if (make === undefined) {
    make = makerOf(services);
    makers.set(services, make);
  }
  return make(caller, signal);
}

/**
 * Makes contexts that inherit the services of one server: each request has what is its own, and copies none of the rest. That takes
 * 20 to 30 ns; a literal with all members takes 35 to 45, and a spread 300.
 */
function makerOf(services: Services): MakeContext {
  class RequestContext implements Originator {
    readonly principal: Principal | null;
    readonly address: string;
    readonly at: Date;
    readonly refusal: ApiError | undefined;
    readonly message: SignedMessage | undefined;
    readonly flow: Flow;
    readonly signal: AbortSignalLike | undefined;
    readonly database: BoundDatabase;
    readonly lasting: BoundDatabase;
    readonly seen: Position | undefined;
    readonly loaders: Loaders;
    readonly requestCost: RequestCost;
    readonly work: Work;
    readonly replayed: string[] = [];

    constructor(caller: Caller, signal: AbortSignalLike | undefined) {
      this.principal = caller.principal;
      this.address = caller.address;
      this.at = caller.at;
      this.refusal = caller.refusal;
      this.message = caller.message;
      this.flow = flowOf(caller);
      this.signal = signal;
      this.seen = caller.seen;
      this.database = boundTo(services.database, signal, this.flow, this);
      this.lasting = boundTo(services.database, undefined, this.flow, this);
      this.loaders = new Loaders(this.database, caller.principal);
      this.requestCost = new RequestCost(services.budget, this.flow, caller.at);
      this.work = new PlainWork(this.database, this.lasting);
    }

    get origin(): Origin {
      return originOf(this.principal, this.address);
    }

    get written(): Position | undefined {
      return later(this.database.position, this.lasting.position);
    }
  }
  Object.setPrototypeOf(RequestContext.prototype, services);
  // The rest of its members it has from its prototype, which the type system does not see.
  return (caller, signal) => new RequestContext(caller, signal) as RequestContext & Services;
}
