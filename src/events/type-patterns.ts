import { EVENT_TYPES, subjectTypeOf } from './catalogue.ts';

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
