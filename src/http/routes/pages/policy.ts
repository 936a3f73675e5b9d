/**
 * What a page may load, and where it may send (Content Security Policy 3): everything from this server, nothing from
 * elsewhere, no script that stands in the page itself, and no `eval`. A page cannot be framed.
 */
const RULES: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

const written = (rules: Readonly<Record<string, string>>) =>
  Object.entries(rules)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

export const POLICY = written(RULES);

/** The same with one script that stands in the page itself: an import map, by its hash. */
export const policyWithScript = (hash: string): string =>
  written({ ...RULES, 'script-src': `${RULES['script-src']} ${hash}` });

/** GraphiQL's editor writes its colours and sizes into the page as styles; scripts stay as strict as elsewhere. */
export const GRAPHIQL_POLICY = written({ ...RULES, 'style-src': "'self' 'unsafe-inline'" });
