/** Those who are sent the same things, and what they are sent. */
import { maySeeType } from '../../auth/event-types.ts';
import type { Principal } from '../../auth/policy.ts';
import type { EventRow } from '../../db/rows.ts';
import { ApiError, CATALOGUE } from '../../errors.ts';
import { logPosition } from '../../events/position.ts';
import type { Rights } from '../../events/rights.ts';
import type { Selection } from '../../events/selection.ts';
import { createContext, type Services } from '../context.ts';
import { toApiError } from '../errors.ts';
import type { Emission, Follower } from './follower.ts';
import type { StreamOperation, Variables } from './operation.ts';
import type { Sharing } from './sharing.ts';

/** What everybody of a group follows. */
export interface Subscription {
  readonly operation: StreamOperation;
  readonly variables: Variables;
  readonly selection: Selection;
}

export interface GroupParts extends Subscription {
  readonly services: Services;
  readonly onFailure: (error: unknown) => void;
}

/** Followers for whom one execution will do. */
interface Audience {
  readonly principal: Principal;
  readonly followers: Follower[];
}

/**
 * The same text for principals who are sent the same. Whatever a resolver can tell them apart by counts, except by which
 * credentials of one kind they called, and when those end.
 */
function audienceKey(sharing: Sharing, principal: Principal): string {
  if (sharing === 'everybody') return '';
  let keys = keysOf.get(principal);
  if (!keys) {
    const { tokenId: _tokenId, expiresAt: _expiresAt, userId, scopes, ...rights } = principal;
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
   * told so. It never rejects: who could not be sent the event is told to come back for it.
   */
  async pass(event: EventRow, rights: Rights, followers: Iterable<Follower> = this.followers): Promise<void> {
    const { selection, onFailure } = this.#parts;
    const due: Follower[] = [];
    for (const follower of followers) if (follower.isOpen && follower.position < event.id) due.push(follower);
    const audiences = this.#audiencesOf(due, event, rights, selection.matches(event));
    try {
      await Promise.all([...audiences.values()].map((audience) => this.#send(event, audience)));
    } catch (error) {
      onFailure(error);
      for (const follower of due) follower.end(new ApiError('internal_error', { cause: error }));
    }
    for (const follower of due) if (follower.isOpen) follower.position = event.id;
  }

  #audiencesOf(
    due: readonly Follower[],
    event: EventRow,
    rights: Rights,
    matches: boolean,
  ): Map<string, Audience> {
    const { clock } = this.#parts.services;
    const audiences = new Map<string, Audience>();
    for (const follower of due) {
      try {
        const principal = follower.principalNow(rights, clock);
        if (!matches || !maySeeType(principal, event.type) || !rights.sees(principal.userId, event)) continue;
        const key = audienceKey(this.#parts.operation.sharing, principal);
        const audience = audiences.get(key);
        if (audience) audience.followers.push(follower);
        else audiences.set(key, { principal, followers: [follower] });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        follower.session.end(error);
      }
    }
    return audiences;
  }

  async #send(event: EventRow, { principal, followers }: Audience): Promise<void> {
    const { services } = this.#parts;
    const emission = await this.#emissionFor(event, principal);
    if (emission instanceof ApiError) {
      for (const follower of followers) follower.end(emission);
      return;
    }
    const now = services.clock().getTime();
    for (const follower of followers) {
      if (!follower.isOpen) continue;
      // Time has passed since the rights were looked at. Nothing goes out after the end of a token, and who has not been sent
      // the event does not stand behind it.
      if (now >= follower.session.principal.expiresAt * 1000) {
        follower.session.end(new ApiError('token_expired'));
        follower.end(new ApiError('token_expired'));
        continue;
      }
      follower.send(emission);
      follower.position = event.id;
      if (follower.isFull()) follower.end(new ApiError('slow_consumer'));
    }
  }

  /** The event as it is sent, or the error for which it cannot be had at the moment. */
  async #emissionFor(event: EventRow, principal: Principal): Promise<Emission | ApiError> {
    const { operation, variables, services } = this.#parts;
    const cursor = logPosition.seal(services.cursors, event);
    // Loaders remember what they have loaded, so each event gets its own.
    const context = createContext(services, { principal, address: '', at: services.clock() });
    const result = await operation.run({ ...event, cursor }, context, variables);
    const passing = result.errors?.map(toApiError).find(({ code }) => isPassing(code));
    if (passing) return passing;
    return { cursor, payload: operation.encode(result, cursor), forms: undefined };
  }
}

/** Whether the same would succeed later: then the event is better had later than with a hole in it. */
const isPassing = (code: ApiError['code']) => CATALOGUE[code].status === 503;
