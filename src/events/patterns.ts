import { EVENT_TYPES, subjectTypeOf } from './catalogue.ts';

/** Patterns of event types: all types, all types of one subject such as `order.*`, or one type. */
export const TYPE_PATTERNS: readonly string[] = [
  ...new Set(['*', ...EVENT_TYPES, ...EVENT_TYPES.map((type) => `${subjectTypeOf(type)}.*`)]),
];
