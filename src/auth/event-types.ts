/** Determines which types of events a caller may see, in the feed, the unread count, subscriptions and event streams. */
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType, isEventType } from '../events/catalogue.ts';
import { type Principal, requireScopes, type Scope } from './policy.ts';

/** The scope that each type requires. The type makes the compiler check that every scope exists. */
const SCOPE_OF: Readonly<Record<EventType, { readonly scope: Scope }>> = EVENT_CATALOGUE;

/** Whether the caller's scopes include this type of event. No caller may see a type that is not in the catalogue. */
export const maySeeType = ({ scopes }: Principal, type: string): boolean =>
  isEventType(type) && scopes.has(SCOPE_OF[type].scope);

/**
 * Returns the types that a list contains: the requested ones that the caller may see. A list of all types needs them as well, since the log
 * may contain others, which a newer version has written.
 *
 * @param asked null for all types.
 */
export const effectiveTypes = (caller: Principal, asked: readonly EventType[] | null): readonly EventType[] =>
  (asked ?? EVENT_TYPES).filter((type) => maySeeType(caller, type));

/**
 * Checks that a caller may read all events of these types in the feed, before they are sent to a webhook: its receiver may be the
 * caller's own.
 *
 * @param types unknown ones, which no list contains, are ignored.
 * @throws ApiError `insufficient_scope`.
 */
export function requireTypes(caller: Principal, types: readonly string[]): void {
  if (types.length === 0) return;
  const scopes: Scope[] = ['read:feed', ...types.filter(isEventType).map((type) => SCOPE_OF[type].scope)];
  requireScopes(caller, scopes, 'Your credentials do not have all scopes that these events require.');
}
