/** Parameters of statements that write several rows. Each is named after its column and the number of its row, such as `org0`. */
import type { Placeholder } from 'drizzle-orm';
import { sql } from './drizzle/index.ts';

/** The placeholders for `rows` rows with the named columns. */
export function numberedPlaceholders<Name extends string>(
  names: readonly Name[],
  rows: number,
): Record<Name, Placeholder>[] {
  return Array.from({ length: rows }, (_, row) => {
    const entries = names.map((name) => [name, sql.placeholder(`${name}${row}`)] as const);
    // The entries have exactly these names.
    return Object.fromEntries(entries) as Record<Name, Placeholder>;
  });
}

/** The parameter values of some rows, by the names of {@link numberedPlaceholders}. */
export function numberedParams(rows: readonly object[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [number, row] of rows.entries()) {
    for (const [name, value] of Object.entries(row)) params[`${name}${number}`] = value;
  }
  return params;
}
