/**
 * The catalogue of event types, each a subject and a past participle. Clients filter by type, so a type never changes its meaning,
 * and unknown types are refused. Each resource declares its events in `events.ts` of its folder.
 */
import { EVENTS } from '../generated/events.ts';
import type { PayloadOf } from './declare.ts';

export const EVENT_CATALOGUE = EVENTS;

export type EventType = keyof typeof EVENTS;

/** The `data` of an event of this type. */
export type EventData<Type extends EventType> = PayloadOf<(typeof EVENTS)[Type]['data']>;

// The type of `Object.keys` does not include the names of a literal.
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

const KNOWN: ReadonlySet<unknown> = new Set(EVENT_TYPES);

export const isEventType = (value: unknown): value is EventType => KNOWN.has(value);

/** The kind of an event's subject: `order` for `order.created`. */
export const subjectTypeOf = (type: string): string => type.slice(0, type.indexOf('.'));

/** Patterns of event types: all types, all types of one subject such as `order.*`, or one type. */
export const TYPE_PATTERNS: readonly string[] = [
  ...new Set(['*', ...EVENT_TYPES, ...EVENT_TYPES.map((type) => `${subjectTypeOf(type)}.*`)]),
];

const PATTERNS: ReadonlySet<string> = new Set(TYPE_PATTERNS);

/** Whether any event type matches the pattern. */
export const isTypePattern = (pattern: string): boolean => PATTERNS.has(pattern);

/** Whether an event of this type matches one of the patterns. */
export const matchesPattern = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(type) || patterns.includes('*') || patterns.includes(`${subjectTypeOf(type)}.*`);
