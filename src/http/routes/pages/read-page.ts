import { readFileSync } from 'node:fs';

/** Where pages have people sign in. */
const SIGN_IN = '<div data-sign-in></div>';

/** What is shown where clients cannot read the schema. */
const SCHEMA_HIDDEN = /(<(\w+)[^>]* data-schema-hidden) hidden>/g;

export interface PageOptions {
  /** Whether the database has the demo account, for pages to offer it. */
  readonly offerDemo: boolean;
  /** Whether the schema is hidden from clients, for pages to say so. */
  readonly hidesSchema: boolean;
}

/** The text of a page, read once at the start. */
export function readPage(name: string, { offerDemo, hidesSchema }: PageOptions): string {
  const text = readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8');
  const shown = hidesSchema ? text.replace(SCHEMA_HIDDEN, '$1>') : text;
  return offerDemo ? shown.replace(SIGN_IN, '<div data-sign-in data-demo></div>') : shown;
}
