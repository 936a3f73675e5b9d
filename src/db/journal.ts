import { readFileSync } from 'node:fs';

interface Journal {
  readonly entries: readonly { readonly when: number }[];
}

/** When each migration of a folder was created, in milliseconds since the epoch. A database records migrations by this number. */
export function migrationTimes(folder: URL): readonly number[] {
  // drizzle-kit writes this file, and a test compares it with the migrations.
  const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', folder), 'utf8')) as Journal;
  return entries.map(({ when }) => when);
}
