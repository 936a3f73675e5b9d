/** A piece of HTML, as opposed to plain text. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[];

/** Escapes text for HTML, also within an attribute in quotes of either kind. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const render = (part: Part): string => {
  if (part instanceof Html) return part.text;
  return typeof part === 'string' ? escapeHtml(part) : part.map(({ text }) => text).join('');
};

/** A template tag for HTML that escapes all inserted text. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(
    strings
      .map((string, index) => string + (index < parts.length ? render(parts[index] ?? '') : ''))
      .join(''),
  );
