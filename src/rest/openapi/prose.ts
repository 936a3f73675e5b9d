/** A description of the schema as one flowing text: its lines are broken for the SDL, paragraphs stay. */
export const flowing = (text: string): string => text.trim().replace(/(?<!\n)\n(?!\n)/g, ' ');

/** The first sentence of a text, without its full stop, as summaries are written. */
export function firstSentence(text: string): string {
  const [first = ''] = flowing(text).split(/(?<=\.)\s/);
  return first.replace(/\.$/, '');
}
