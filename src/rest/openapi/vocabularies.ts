import { CURRENCIES } from '../../core/money.ts';
import { AUDIT_TYPES } from '../../events/audit.ts';
import { EVENT_TYPES, TYPE_PATTERNS } from '../../events/catalogue.ts';
import { SCOPES } from '../../graphql/directives/auth.ts';

/** Lists of strings that resolvers accept, by their name in `@accepts`. */
const VOCABULARIES = new Map<string, readonly string[]>([
  ['scopes', SCOPES],
  ['eventTypes', EVENT_TYPES],
  ['auditTypes', AUDIT_TYPES],
  ['eventPatterns', TYPE_PATTERNS],
  ['currencies', CURRENCIES],
]);

/** Returns a list of strings by its name. @throws Error if there is no such list. */
export function vocabulary(name: string): readonly string[] {
  const values = VOCABULARIES.get(name);
  if (!values) throw new Error(`@accepts names an unknown list of values: ${name}`);
  return values;
}
