/** What pages share: their policy, their header, and reading their text. */
import { readFileSync } from 'node:fs';
import { headOf } from '../../html.ts';
import type { HttpParts } from '../../parts.ts';

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

/** The links of the header of all pages except the console and those of the authorization server: paths and titles. */
const PAGES = [
  ['', 'Overview'],
  ['console', 'Console'],
  ['docs', 'Docs'],
  ['graphql', 'GraphiQL'],
] as const;

interface BarOptions {
  /** The path of the server, as links of the page use it, with a trailing slash. */
  readonly base: string;
  /** The path of the page. The link to it, or to the page above it, is marked as current. */
  readonly path: string;
  /** Whether to offer the account of the demo data. */
  readonly offerDemo: boolean;
}

export function barOf({ base, path, offerDemo }: BarOptions): string {
  const links = PAGES.map(([to, title]) => {
    const state =
      to === path ? ' aria-current="page"' : path.startsWith(`${to}/`) ? ' aria-current="true"' : '';
    return `<a href="${base}${to}"${state}>${title}</a>`;
  });
  return `<header class="bar">
    <a class="mark" href="${base}"><img src="${base}assets/pages/mark.svg" alt="" width="22" height="22">Portico</a>
    <nav aria-label="Pages">
      ${links.join('\n      ')}
    </nav>
    <div data-sign-in${offerDemo ? ' data-demo' : ''}></div>
  </header>`;
}

/** Elements to show if the schema is hidden from clients, as in production. */
const SCHEMA_HIDDEN = /(<(\w+)[^>]* data-schema-hidden) hidden>/g;

/** Reads the text of a page. @param path the path of the page below that of the server, without a leading slash. */
export function readPage(name: string, path: string, { offerDemo, config }: HttpParts): string {
  const base = './';
  const text = readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8')
    .replace('<!-- head -->', headOf(base).text)
    .replace('<!-- bar -->', barOf({ base, path, offerDemo }));
  return config.production ? text.replace(SCHEMA_HIDDEN, '$1>') : text;
}
