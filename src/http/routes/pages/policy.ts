/**
 * The policy of pages (Content Security Policy 3): they may load from and send to this server only, without inline scripts or
 * `eval`, and cannot be framed.
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

/** Returns the policy with one inline script, an import map, by its hash. */
export const policyWithScript = (hash: string): string =>
  written({ ...RULES, 'script-src': `${RULES['script-src']} ${hash}` });

/** Returns the policy with styles that a script of the page adds, by the nonce of the response. */
export const policyWithStyles = (nonce: string): string =>
  written({ ...RULES, 'style-src': `${RULES['style-src']} 'nonce-${nonce}'` });
