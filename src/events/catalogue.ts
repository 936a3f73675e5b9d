/**
 * What can happen, as subject and past participle. Clients filter by it, so a type never changes its meaning, and one that is not here is
 * refused. Each resource declares its events in `events.ts` of its folder.
 */
import { EVENTS } from '../generated/events.ts';
import type { PayloadOf } from './declare.ts';

export const EVENT_CATALOGUE = EVENTS;

export type EventType = keyof typeof EVENTS;

/** The `data` of an event of a type. */
export type EventData<Type extends EventType> = PayloadOf<(typeof EVENTS)[Type]['data']>;

// `Object.keys` knows nothing of the names that a literal has.
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

const KNOWN: ReadonlySet<unknown> = new Set(EVENT_TYPES);

export const isEventType = (value: unknown): value is EventType => KNOWN.has(value);

/** The kind of thing that an event happens to: `order` of `order.created`. */
export const subjectTypeOf = (type: string): string => type.slice(0, type.indexOf('.'));
