import { readFileSync } from 'node:fs';

interface Journal {
  readonly entries: readonly { readonly when: number }[];
}

/** When each migration of a folder was made, in milliseconds since the epoch: what a database remembers of it. */
export function migrationTimes(folder: URL): readonly number[] {
  // drizzle-kit writes this file, and a test holds it to the migrations.
  const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', folder), 'utf8')) as Journal;
  return entries.map(({ when }) => when);
}
