/** A group of followers with the same subscription, and the events that they receive. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { credentialExpired } from '../auth/changes.ts';
import { maySeeType } from '../auth/event-types.ts';
import { type Principal, readerOf } from '../auth/policy.ts';
import { ApiError } from '../core/errors.ts';
import type { EventRow } from '../db/rows.ts';
import { logPosition } from '../events/log-position.ts';
import type { Rights } from '../events/rights.ts';
import type { Selection } from '../events/selection.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Door } from '../observability/metrics.ts';
import type { Variables } from '../pipeline/compile.ts';
import { createContext, type Services } from '../pipeline/context.ts';
import { boundResult } from '../pipeline/response-size.ts';
import type { Allowance, Bucket } from '../rate-limit/budget.ts';
import type { Follower } from './follower.ts';
import { StreamMessage } from './stream-message.ts';
import type { Sharing, StreamOperation } from './stream-operation.ts';

/** What all followers of a group have in common. */
export interface GroupParts {
  readonly operation: StreamOperation;
  readonly variables: Variables;
  readonly selection: Selection;
  /** Maximum points that one event can cost. */
  readonly requested: number;
  readonly services: Services;
  readonly onFailure: (error: unknown) => void;
}

/** A follower who may see an event and has paid for it. */
interface Reader {
  readonly follower: Follower;
  /** The bucket that the points for the event were taken from. */
  readonly paidFrom: Bucket;
}

/** Readers that share one execution. */
interface Audience {
  readonly principal: Principal;
  readonly readers: Reader[];
}

/**
 * Returns the same key for principals that receive the same result. The key covers everything by which a resolver can
 * distinguish principals, except the particular credentials of one kind and their expiry.
 */
function audienceKey(sharing: Sharing, principal: Principal): string {
  if (sharing === 'everybody') return '';
  let keys = keysOf.get(principal);
  if (!keys) {
    const {
      credential: _credential,
      sessionId: _sessionId,
      expiresAt: _expiresAt,
      grant: _grant,
      confirmation: _confirmation,
      userId,
      scopes,
      ...rights
    } = principal;
    const rightsKey = JSON.stringify({ ...rights, scopes: [...scopes].sort() });
    keys = { rights: rightsKey, person: `${userId} ${rightsKey}` };
    keysOf.set(principal, keys);
  }
  return keys[sharing];
}

/** Keys by principal, kept while a follower's rights do not change, since every event needs them. */
const keysOf = new WeakMap<Principal, Readonly<Record<Exclude<Sharing, 'everybody'>, string>>>();

/** Returns the caller with its current rights. The session of a caller that may no longer follow is ended. */
function callerOf(follower: Follower, rights: Rights, at: Date): Principal | undefined {
  try {
    return follower.principalNow(rights, at);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    follower.session.end(error);
    return undefined;
  }
}

export class Group {
  readonly followers = new Set<Follower>();
  readonly #parts: GroupParts;

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  /**
   * Sends an event to the followers that have not received it and may see it; the sessions of those that may no longer follow
   * are ended. Each follower pays for the event, also if one execution serves several. It never rejects: after a failure the
   * streams end with an error, and clients can resume from before the event.
   *
   * @returns the followers that are paused before the event: their callers lack points for it, or their clients have not read enough.
   */
  async pass(
    event: EventRow,
    rights: Rights,
    followers: Iterable<Follower> = this.followers,
  ): Promise<readonly Follower[]> {
    const { onFailure } = this.#parts;
    const due: Follower[] = [];
    for (const follower of followers)
      if (follower.isOpen && follower.position.id < event.id) due.push(follower);
    try {
      const audiences = await this.#audiencesAmong(due, event, rights);
      await Promise.all([...audiences].map((audience) => this.#send(event, audience)));
    } catch (error) {
      onFailure(error);
      for (const follower of due) follower.end(new ApiError('internal_error', { cause: error }));
    }
    const paused: Follower[] = [];
    for (const follower of due) {
      if (!follower.isOpen) continue;
      if (follower.isPaused) paused.push(follower);
      else follower.position = event;
    }
    return paused;
  }

  /**
   * Takes the maximum cost of the event from each follower that may see it, and groups those that have paid into audiences. The others are
   * paused. All of it in one pass, since with thousands of followers each pass reads all of them from memory again.
   */
  async #audiencesAmong(
    due: readonly Follower[],
    event: EventRow,
    rights: Rights,
  ): Promise<Iterable<Audience>> {
    const { operation, selection, services, requested } = this.#parts;
    const matches = selection.matches(event);
    const at = services.clock();
    const audiences = new Map<string, Audience>();
    const add = (follower: Follower, principal: Principal, { granted, bucket, retryAfter }: Allowance) => {
      if (!granted) return follower.pauseFor(retryAfter);
      const key = audienceKey(operation.sharing, principal);
      const reader = { follower, paidFrom: bucket };
      const audience = audiences.get(key);
      if (audience) audience.readers.push(reader);
      else audiences.set(key, { principal, readers: [reader] });
    };
    const asked: Promise<void>[] = [];
    for (const follower of due) {
      const principal = callerOf(follower, rights, at);
      if (!principal || !matches || !maySeeType(principal, event.type)) continue;
      if (!rights.sees(readerOf(principal), event)) continue;
      const allowance = services.budget.take(follower.flow.caller, requested, at);
      if (allowance instanceof Promise)
        asked.push(allowance.then((later) => add(follower, principal, later)));
      else add(follower, principal, allowance);
    }
    if (asked.length > 0) await Promise.all(asked);
    return audiences.values();
  }

  async #send(event: EventRow, { principal, readers }: Audience): Promise<void> {
    const { services } = this.#parts;
    const made = await this.#messageFor(event, principal);
    if (made instanceof ApiError) {
      for (const { follower } of readers) follower.end(made);
      return;
    }
    const now = services.clock();
    const pointsOf = new Map<Door, number>();
    for (const reader of readers) {
      const { follower } = reader;
      const wasSent = follower.isOpen && this.#sendTo(follower, made.message, now.getTime(), event);
      this.#settle(reader, wasSent ? made.cost : 0);
      if (wasSent) pointsOf.set(follower.door, (pointsOf.get(follower.door) ?? 0) + made.cost);
    }
    const { name } = this.#parts.operation;
    for (const [door, points] of pointsOf) services.notePoints(principal, { door, name, at: now, points });
  }

  #sendTo(follower: Follower, message: StreamMessage, now: number, event: EventRow): boolean {
    // Time has passed since the rights were checked. Nothing is sent after the token has expired, and the position of a
    // follower that did not receive the event remains before it.
    if (now >= follower.session.principal.expiresAt * 1000) {
      const expired = credentialExpired(follower.session.principal);
      follower.session.end(expired);
      follower.end(expired);
      return false;
    }
    // Checked before the message is written: one message may be longer than the limit, and its client has had no time to read it.
    if (follower.mustRead()) {
      follower.pauseFor(0);
      return false;
    }
    follower.send(message);
    follower.position = event;
    follower.told = event.id;
    return true;
  }

  #settle({ follower, paidFrom }: Reader, cost: number): void {
    const { services, requested } = this.#parts;
    if (cost === requested) return;
    const at = services.clock();
    void services.budget.settle(follower.flow.caller, cost - requested, at, paidFrom);
  }

  /** Returns the message for the event and its cost in points, or the temporary error that prevents it. */
  async #messageFor(
    event: EventRow,
    principal: Principal,
  ): Promise<{ message: StreamMessage; cost: number } | ApiError> {
    const { operation, variables, services, requested } = this.#parts;
    const cursor = logPosition.seal(services.cursors, event.org, event);
    // Loaders remember what they have loaded, so each event gets its own.
    const context = createContext(services, { principal, address: '', at: services.clock() });
    const result = await operation.run({ ...event, cursor }, context, variables);
    // The execution would succeed later: a late event is better than an incomplete one.
    const passing = result.errors?.map(toApiError).find(({ isUnavailable }) => isUnavailable);
    if (passing) return passing;
    const cost = result.errors ? requested : operation.price.actual(result.data);
    const encoded = operation.encode(withinBounds(result, services.responseLimit), cursor);
    return { message: new StreamMessage(cursor, encoded), cost };
  }
}

/** Replaces a result that is too large by an error in the message: it would be as large after a reconnect. */
function withinBounds(result: ExecutionResult, limit: number): ExecutionResult {
  try {
    boundResult(result, limit);
    return result;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { data: null, errors: [new GraphQLError(error.message, { originalError: error })] };
  }
}
