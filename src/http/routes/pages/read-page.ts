import { readFileSync } from 'node:fs';

/** Where pages have people sign in. */
const SIGN_IN = '<div data-sign-in></div>';

/**
 * The text of a page, read once at the start.
 *
 * @param offerDemo whether the database has the demo account, for the page to offer it.
 */
export function readPage(name: string, offerDemo: boolean): string {
  const text = readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8');
  return offerDemo ? text.replace(SIGN_IN, '<div data-sign-in data-demo></div>') : text;
}
