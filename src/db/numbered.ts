/** Statements that write several rows at once: a value is the parameter of its column and the number of its row, such as `org0`. */
import type { Placeholder } from 'drizzle-orm';
import { sql } from './drizzle/index.ts';

/** What so many rows are inserted from. */
export function numberedPlaceholders<Name extends string>(
  names: readonly Name[],
  rows: number,
): Record<Name, Placeholder>[] {
  return Array.from({ length: rows }, (_, row) => {
    const entries = names.map((name) => [name, sql.placeholder(`${name}${row}`)] as const);
    // Each of the names is a member.
    return Object.fromEntries(entries) as Record<Name, Placeholder>;
  });
}

/** The parameters of rows. */
export function numberedParams(rows: readonly object[]): Record<string, unknown> {
  return Object.fromEntries(
    rows.flatMap((row, number) => Object.entries(row).map(([name, value]) => [`${name}${number}`, value])),
  );
}
