import { readFileSync } from 'node:fs';
import { barOf } from './bar.ts';

/** Elements to show if the schema is hidden from clients. */
const SCHEMA_HIDDEN = /(<(\w+)[^>]* data-schema-hidden) hidden>/g;

export interface PageOptions {
  /** Whether the database has the demo account, which pages then offer. */
  readonly offerDemo: boolean;
  /** Whether the schema is hidden from clients, which pages then mention. */
  readonly hidesSchema: boolean;
}

/**
 * Reads the text of a page.
 *
 * @param path the path of the page below that of the server, without a leading slash.
 */
export function readPage(name: string, path: string, { offerDemo, hidesSchema }: PageOptions): string {
  const text = readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8').replace(
    '<!-- bar -->',
    barOf({ base: './', path, offerDemo }),
  );
  return hidesSchema ? text.replace(SCHEMA_HIDDEN, '$1>') : text;
}
