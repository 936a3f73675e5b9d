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

/** Returns what the head of every page begins with. @param base the path of the server, with a trailing slash. */
export const headOf = (base: string): Html => html`<meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="${base}assets/pages/mark.svg" type="image/svg+xml">`;
