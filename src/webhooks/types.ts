import { EVENT_TYPES } from '../events/types.ts';

/** All types, all of one subject such as `order.*`, or one. */
const PATTERNS: ReadonlySet<string> = new Set([
  '*',
  ...EVENT_TYPES,
  ...EVENT_TYPES.map((type) => `${subjectOf(type)}.*`),
]);

/** Whether there is anything that a webhook could be told of by this. */
export const isTypePattern = (pattern: string): boolean => PATTERNS.has(pattern);

/** Whether somebody who asked for these is told of an event of this type. */
export const isWanted = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(type) || patterns.includes('*') || patterns.includes(`${subjectOf(type)}.*`);

function subjectOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}
