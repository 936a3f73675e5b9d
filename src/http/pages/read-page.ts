import { readFileSync } from 'node:fs';

/** The text of a page, read once at the start. */
export const readPage = (name: string): string =>
  readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8');
