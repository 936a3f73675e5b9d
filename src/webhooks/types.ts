import { subjectTypeOf } from '../events/catalogue.ts';
import { TYPE_PATTERNS } from '../events/patterns.ts';

const PATTERNS: ReadonlySet<string> = new Set(TYPE_PATTERNS);

/** Whether any event type matches the pattern. */
export const isTypePattern = (pattern: string): boolean => PATTERNS.has(pattern);

/** Whether an event of this type matches one of the patterns. */
export const isWanted = (patterns: readonly string[], type: string): boolean =>
  patterns.includes(type) || patterns.includes('*') || patterns.includes(`${subjectTypeOf(type)}.*`);
