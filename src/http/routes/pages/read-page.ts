import { readFileSync } from 'node:fs';
import { barOf } from './bar.ts';

/** What is shown where clients cannot read the schema. */
const SCHEMA_HIDDEN = /(<(\w+)[^>]* data-schema-hidden) hidden>/g;

export interface PageOptions {
  /** Whether the database has the demo account, for pages to offer it. */
  readonly offerDemo: boolean;
  /** Whether the schema is hidden from clients, for pages to say so. */
  readonly hidesSchema: boolean;
}

/**
 * The text of a page, read once at the start.
 *
 * @param path its path below that of the server, without a slash.
 */
export function readPage(name: string, path: string, { offerDemo, hidesSchema }: PageOptions): string {
  const text = readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8').replace(
    '<!-- bar -->',
    barOf({ base: './', path, offerDemo }),
  );
  return hidesSchema ? text.replace(SCHEMA_HIDDEN, '$1>') : text;
}
