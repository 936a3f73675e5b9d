import { CURRENCIES } from '../../core/money.ts';
import { AUDIT_TYPES } from '../../events/audit.ts';
import { EVENT_TYPES } from '../../events/catalogue.ts';
import { TYPE_PATTERNS } from '../../events/patterns.ts';
import { SCOPES } from '../../graphql/directives/auth.ts';

/** Strings that resolvers accept, by the name that `@accepts` has for their list. */
const VOCABULARIES = new Map<string, readonly string[]>([
  ['scopes', SCOPES],
  ['eventTypes', EVENT_TYPES],
  ['auditTypes', AUDIT_TYPES],
  ['eventPatterns', TYPE_PATTERNS],
  ['currencies', CURRENCIES],
]);

/** @throws Error when there is no such list. */
export function vocabulary(name: string): readonly string[] {
  const values = VOCABULARIES.get(name);
  if (!values) throw new Error(`@accepts names a list of values that is not known: ${name}`);
  return values;
}
