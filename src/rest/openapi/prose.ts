/** Joins the lines of a description in the SDL, and keeps its paragraphs. */
export const flowing = (text: string): string => text.trim().replace(/(?<!\n)\n(?!\n)/g, ' ');

/** Returns the first sentence of a text without its full stop, for a summary. */
export function firstSentence(text: string): string {
  const [first = ''] = flowing(text).split(/(?<=\.)\s/);
  return first.replace(/\.$/, '');
}
