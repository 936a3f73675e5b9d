/** Those who are sent the same things, and what they are sent. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { maySeeType } from '../auth/event-types.ts';
import type { Principal } from '../auth/policy.ts';
import { ApiError } from '../core/errors.ts';
import type { EventRow } from '../db/rows.ts';
import { logPosition } from '../events/position.ts';
import type { Rights } from '../events/rights.ts';
import type { Selection } from '../events/selection.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Door } from '../observability/metrics.ts';
import { createContext, type Services } from '../pipeline/context.ts';
import { flowOf } from '../pipeline/flow.ts';
import { refusalOfSize } from '../pipeline/response-size.ts';
import type { Allowance, Bucket } from '../rate-limit/budget.ts';
import type { Follower, StreamMessage } from './follower.ts';
import type { StreamOperation, Variables } from './operation.ts';
import type { Sharing } from './sharing.ts';

/** What all followers of a group share. */
export interface Subscription {
  readonly operation: StreamOperation;
  readonly variables: Variables;
  readonly selection: Selection;
  /** Points that one event costs at most. */
  readonly requested: number;
}

export interface GroupParts extends Subscription {
  readonly services: Services;
  readonly onFailure: (error: unknown) => void;
}

/** A follower who may see an event. */
interface Reader {
  readonly follower: Follower;
  /** Its caller as it is now. */
  readonly principal: Principal;
  /** The bucket that the points for the event were taken from; undefined where they were not. */
  paidFrom: Bucket | undefined;
}

/** Readers for whom one execution will do. */
interface Audience {
  readonly principal: Principal;
  readonly readers: Reader[];
}

/**
 * The same text for principals who are sent the same. Whatever a resolver can tell them apart by counts, except by which
 * credentials of one kind they called, and when those end.
 */
function audienceKey(sharing: Sharing, principal: Principal): string {
  if (sharing === 'everybody') return '';
  let keys = keysOf.get(principal);
  if (!keys) {
    const {
      tokenId: _tokenId,
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

/** Kept for as long as a follower has the same rights, since each event asks for them. */
const keysOf = new WeakMap<Principal, Readonly<Record<Exclude<Sharing, 'everybody'>, string>>>();

export class Group {
  readonly followers = new Set<Follower>();
  readonly #parts: GroupParts;

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  /**
   * Sends an event to those of the followers who have not had it and may see it now; those who may follow no longer are
   * notified. Each pays for it, also where one execution serves several. It never rejects: a follower that could not get the event is notified
   * to come back for it.
   *
   * @returns those without the points for it. They stand before the event still.
   */
  async pass(
    event: EventRow,
    rights: Rights,
    followers: Iterable<Follower> = this.followers,
  ): Promise<readonly Follower[]> {
    const { selection, onFailure } = this.#parts;
    const due: Follower[] = [];
    for (const follower of followers) if (follower.isOpen && follower.position < event.id) due.push(follower);
    const readers = this.#readersAmong(due, event, rights, selection.matches(event));
    let unpaid: readonly Follower[] = [];
    try {
      unpaid = await this.#charge(readers);
      await Promise.all(
        [...this.#audiencesOf(readers).values()].map((audience) => this.#send(event, audience)),
      );
    } catch (error) {
      onFailure(error);
      for (const follower of due) follower.end(new ApiError('internal_error', { cause: error }));
    }
    for (const follower of due) if (follower.isOpen && !follower.isPaused) follower.position = event.id;
    return unpaid;
  }

  /** Those who may see the event. */
  #readersAmong(due: readonly Follower[], event: EventRow, rights: Rights, matches: boolean): Reader[] {
    const { clock } = this.#parts.services;
    const readers: Reader[] = [];
    for (const follower of due) {
      try {
        const principal = follower.principalNow(rights, clock);
        if (!matches || !maySeeType(principal, event.type) || !rights.sees(principal.userId, event)) continue;
        readers.push({ follower, principal, paidFrom: undefined });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        follower.session.end(error);
      }
    }
    return readers;
  }

  /** Takes what the event costs each of them at most. @returns those without the points for it, who pause. */
  async #charge(readers: readonly Reader[]): Promise<Follower[]> {
    const { services, requested } = this.#parts;
    const { budget, clock } = services;
    const at = clock();
    const unpaid: Follower[] = [];
    const note = (reader: Reader, { granted, bucket, retryAfter }: Allowance) => {
      if (granted) reader.paidFrom = bucket;
      else {
        reader.follower.pauseFor(retryAfter);
        unpaid.push(reader.follower);
      }
    };
    const asked: Promise<void>[] = [];
    for (const reader of readers) {
      const allowance = budget.take(flowOf(reader.follower.session).caller, requested, at);
      if (allowance instanceof Promise) asked.push(allowance.then((answer) => note(reader, answer)));
      else note(reader, allowance);
    }
    if (asked.length > 0) await Promise.all(asked);
    return unpaid;
  }

  /** Those who have paid, by whom one execution will do for. */
  #audiencesOf(readers: readonly Reader[]): Map<string, Audience> {
    const audiences = new Map<string, Audience>();
    for (const reader of readers) {
      if (reader.paidFrom === undefined) continue;
      const key = audienceKey(this.#parts.operation.sharing, reader.principal);
      const audience = audiences.get(key);
      if (audience) audience.readers.push(reader);
      else audiences.set(key, { principal: reader.principal, readers: [reader] });
    }
    return audiences;
  }

  async #send(event: EventRow, { principal, readers }: Audience): Promise<void> {
    const { services } = this.#parts;
    const made = await this.#emissionFor(event, principal);
    if (made instanceof ApiError) {
      for (const { follower } of readers) follower.end(made);
      return;
    }
    const now = services.clock();
    const pointsOf = new Map<Door, number>();
    for (const reader of readers) {
      const { follower } = reader;
      const wasSent = follower.isOpen && this.#sendTo(follower, made.message, now.getTime(), event.id);
      this.#settle(reader, wasSent ? made.cost : 0);
      if (wasSent) pointsOf.set(follower.door, (pointsOf.get(follower.door) ?? 0) + made.cost);
    }
    const { name } = this.#parts.operation;
    for (const [door, points] of pointsOf) services.notePoints(principal, { door, name, at: now, points });
  }

  /** @returns whether it was sent. */
  #sendTo(follower: Follower, message: StreamMessage, now: number, eventId: number): boolean {
    // Time has passed since the rights were looked at. Nothing goes out after the end of a token, and who has not been sent
    // the event does not stand behind it.
    if (now >= follower.session.principal.expiresAt * 1000) {
      follower.session.end(new ApiError('token_expired'));
      follower.end(new ApiError('token_expired'));
      return false;
    }
    follower.send(message);
    follower.position = eventId;
    if (follower.isFull()) follower.end(new ApiError('slow_consumer'));
    return true;
  }

  #settle({ follower, paidFrom }: Reader, cost: number): void {
    const { services, requested } = this.#parts;
    if (cost === requested || paidFrom === undefined) return;
    const at = services.clock();
    void services.budget.settle(flowOf(follower.session).caller, cost - requested, at, paidFrom);
  }

  /** The event as it is sent, with its cost in points; or the error for which it cannot be had at the moment. */
  async #emissionFor(
    event: EventRow,
    principal: Principal,
  ): Promise<{ message: StreamMessage; cost: number } | ApiError> {
    const { operation, variables, services, requested } = this.#parts;
    const cursor = logPosition.seal(services.cursors, event);
    // Loaders remember what they have loaded, so each event gets its own.
    const context = createContext(services, { principal, address: '', at: services.clock() });
    const result = await operation.run({ ...event, cursor }, context, variables);
    // The same would succeed later: a late event is better than one with a missing part.
    const passing = result.errors?.map(toApiError).find(({ isUnavailable }) => isUnavailable);
    if (passing) return passing;
    const cost = result.errors ? requested : operation.price.actual(result.data);
    const payload = operation.encode(withinBounds(result), cursor);
    return { message: { cursor, payload, forms: undefined }, cost };
  }
}

/** A result that is too large has its error in its place: it would be as large after a reconnect. */
function withinBounds(result: ExecutionResult): ExecutionResult {
  const tooLarge = refusalOfSize(result);
  if (!tooLarge) return result;
  return { data: null, errors: [new GraphQLError(tooLarge.message, { originalError: tooLarge })] };
}
