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
import { ApiError } from '../core/errors.ts';
import type { Flow } from '../core/fair-queue.ts';
import type { FairSlots } from '../core/fair-slots.ts';
import { networkOf } from '../core/networks.ts';
import type { SignedMessage } from '../core/signatures.ts';
import { BoundDatabase } from '../db/bound.ts';
import type { Origin, Originator } from '../db/origin.ts';
import { isWalPosition, type WalPosition } from '../db/wal-position.ts';
import { PlainWork, type Work } from '../idempotency/work.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { PaymentMessages } from '../payments/stripe-webhooks.ts';
import type { Budget } from '../rate-limit/budget.ts';
import { RequestCost } from './request-cost.ts';
import type { Scheduler } from './scheduler.ts';
import type { Usage } from './usage.ts';

/** The caller of an operation, and the time of the call. */
export interface Caller extends ResolverCaller {
  /** The time read just before the context is created, which the checks of the token and the budget use. */
  readonly at: Date;
  /** The position, taken from an earlier response, that the client's reads must include. */
  readonly seen?: WalPosition | undefined;
  /** The id of the request, for the log; undefined if there is none. */
  readonly requestId?: string | undefined;
}

/** The flows of principals. A principal is the same object as long as its token is known, and V8 hashes a new text before each lookup. */
const flows = new WeakMap<Principal, Flow>();

/** Returns the flow that a request counts for in budgets and queues: that of a person, an app, a machine's credential or a network. */
export function flowOf({ principal, address }: Pick<Caller, 'principal' | 'address'>): Flow {
  if (!principal) return { org: '', caller: `network:${networkOf(address)}` };
  let flow = flows.get(principal);
  if (flow === undefined) {
    flow = { org: principal.org, caller: callerKey(principal) };
    flows.set(principal, flow);
  }
  return flow;
}

/** Apps and machine credentials have their own budgets, so that no integration uses up that of its person. */
function callerKey({ kind, org, userId, grant, credential }: Principal): string {
  if (grant) return `app:${grant.clientId}:${org}:${userId}`;
  return credential ? `key:${kind}:${credential.id}` : `user:${org}:${userId}`;
}

/** Reads a position that the client's reads must include. @throws ApiError `invalid_parameter` that names the parameter. */
export function readPosition(value: unknown, name: string): WalPosition | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && isWalPosition(value)) return value;
  const message = 'must be a position from a response';
  throw new ApiError('invalid_parameter', { details: [{ path: name, message }] });
}

/** The services of resolvers, of the pipeline and of the doors. */
export interface Services extends ResolverServices {
  readonly budget: Budget;
  /** Decides when operations start. */
  readonly scheduler: Scheduler;
  /** Limits how many expensive queries run at once. */
  readonly expensiveQueries: FairSlots;
  /** Maximum bytes of a response, and of a message on a stream. */
  readonly responseLimit: number;
  readonly metrics: Metrics;
  /** Missing if requests are not traced. */
  readonly tracing?: Tracing;
  /** How messages of the payment provider are verified. */
  readonly payments: PaymentMessages;
  /** The path of `publicUrl`, empty for the root. It is the prefix of every path in a response. */
  readonly basePath: string;
  /** Reports the cause of every error that must not be shown to clients, who know only the id of their request. */
  readonly noteInternalError: (cause: unknown, requestId: string | undefined) => void;
  /** Called with the routes, such as `POST /v1/charges`, or schema coordinates, such as `Charge.minorAmount`, that are deprecated and were used. */
  readonly noteDeprecatedUse: (principal: Principal | null, names: readonly string[]) => void;
  readonly noteOperation: Usage['noteOperation'];
  readonly notePoints: Usage['notePoints'];
  /** The position of the last change of each caller; undefined if all reads go to the primary. */
  readonly positions?: Positions | undefined;
}

/** The context of an operation: that of its resolvers, and what the steps of the pipeline need in addition. */
export interface Context extends ResolverContext, Services, Caller {
  readonly database: BoundDatabase;
  /** The points that this request takes from its caller's budget. */
  readonly requestCost: RequestCost;
  /** The position of the last change of this request; undefined without replicas, or if it has written nothing. */
  readonly written: WalPosition | undefined;
}

type MakeContext = (caller: Caller, signal: AbortSignalLike | undefined) => Context;

const makers = new WeakMap<Services, MakeContext>();

/** Creates the context of a request. `signal` is aborted at its deadline, or when the client has gone away: `database` then stops its work. */
export function createContext(services: Services, caller: Caller, signal?: AbortSignalLike): Context {
  let make = makers.get(services);
  if (make === undefined) {
    make = makerOf(services);
    makers.set(services, make);
  }
  return make(caller, signal);
}

/**
 * Returns a function that creates contexts which inherit the services of one server. If a context is a spread of them instead, a REST request
 * for one order takes 1.26 +- 0.08 times the processor time: creating it takes longer, and so does each read of a member.
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
    readonly seen: WalPosition | undefined;
    readonly requestId: string | undefined;
    readonly loaders: Loaders;
    readonly requestCost: RequestCost;
    readonly replayed: string[] = [];
    generatedKeys: Record<string, string> | undefined;

    constructor(caller: Caller, signal: AbortSignalLike | undefined) {
      this.principal = caller.principal;
      this.address = caller.address;
      this.at = caller.at;
      this.refusal = caller.refusal;
      this.message = caller.message;
      this.flow = flowOf(caller);
      this.signal = signal;
      this.seen = caller.seen;
      this.requestId = caller.requestId;
      this.database = new BoundDatabase(services.database, signal, this.flow, this);
      this.loaders = new Loaders(this.database, caller.principal);
      this.requestCost = new RequestCost(services.budget, this.flow, caller.at);
    }

    get origin(): Origin {
      return originOf(this.principal, this.address);
    }

    get written(): WalPosition | undefined {
      return this.database.position;
    }

    get lasting(): BoundDatabase {
      return this.database.lasting();
    }

    get work(): Work {
      return new PlainWork(this.database, this.lasting);
    }
  }
  Object.setPrototypeOf(RequestContext.prototype, services);
  // The other members come from its prototype, which the type system does not see.
  return (caller, signal) => new RequestContext(caller, signal) as RequestContext & Services;
}
