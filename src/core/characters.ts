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
