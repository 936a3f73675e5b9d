/**
 * Lengths of texts in characters: Unicode code points, as JSON Schema counts for `maxLength`, which OpenAPI shows, and NIST
 * SP 800-63B for passwords. An emoji is one, where JavaScript has a length of two.
 */

/** Returns whether a text has more characters than this. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && charactersIn(text) > most;

/** Returns whether a text has fewer characters than this. */
export const isShorterThan = (text: string, least: number): boolean =>
  text.length < least || (text.length < 2 * least && charactersIn(text) < least);

function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Returns whether a value that another system sent is an identifier: 1 to 255 visible ASCII characters, which both engines can store
 * and index.
 */
export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value);
