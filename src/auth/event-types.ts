/** Which types of events a caller may see: in the feed, the unread count, subscriptions and event streams alike. */
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType, isEventType } from '../events/catalogue.ts';
import type { Principal, Scope } from './policy.ts';

/** What each type takes. That every scope is one of ours is for the compiler to see. */
const SCOPE_OF: Readonly<Record<EventType, { readonly scope: Scope }>> = EVENT_CATALOGUE;

/** Whether the caller's scopes let it see events of this type. A type that is not in the catalogue is visible to no caller. */
export const maySeeType = ({ scopes }: Principal, type: string): boolean =>
  isEventType(type) && scopes.has(SCOPE_OF[type].scope);

/**
 * The types that a list is made of: those that were asked for, as far as the caller may see them.
 *
 * @param asked null for all.
 * @returns null for all there are, so that a list without a filter stays one.
 */
export function effectiveTypes(
  caller: Principal,
  asked: readonly EventType[] | null,
): readonly EventType[] | null {
  const types = (asked ?? EVENT_TYPES).filter((type) => maySeeType(caller, type));
  return asked === null && types.length === EVENT_TYPES.length ? null : types;
}
