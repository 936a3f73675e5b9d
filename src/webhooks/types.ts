import { EVENT_TYPES, subjectTypeOf } from '../events/catalogue.ts';

/** All types, all of one subject such as `order.*`, or one. */
const PATTERNS: ReadonlySet<string> = new Set([
  '*',
  ...EVENT_TYPES,
  ...EVENT_TYPES.map((type) => `${subjectTypeOf(type)}.*`),
]);

/** Whether any event type matches the pattern. */
export const isTypePattern = (pattern: string): boolean => PATTERNS.has(pattern);

/** Whether an event of this type matches one of the patterns. */
export const isWanted = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(type) || patterns.includes('*') || patterns.includes(`${subjectTypeOf(type)}.*`);
