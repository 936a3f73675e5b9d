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

/** The same with styles that a script of the page writes into it, by the nonce of the response. */
export const policyWithStyles = (nonce: string): string =>
  written({ ...RULES, 'style-src': `${RULES['style-src']} 'nonce-${nonce}'` });
