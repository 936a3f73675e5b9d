import { EVENT_TYPES, subjectTypeOf } from '../events/catalogue.ts';

/** All types, all of one subject such as `order.*`, or one. */
const PATTERNS: ReadonlySet<string> = new Set([
  '*',
  ...EVENT_TYPES,
  ...EVENT_TYPES.map((type) => `${subjectTypeOf(type)}.*`),
]);

/** Whether there is anything that a webhook could be told of by this. */
export const isTypePattern = (pattern: string): boolean => PATTERNS.has(pattern);

/** Whether somebody who asked for these is told of an event of this type. */
export const isWanted = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(type) || patterns.includes('*') || patterns.includes(`${subjectTypeOf(type)}.*`);
