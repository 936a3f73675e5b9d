import { sql } from './drizzle/index.ts';

/** A list of values for the right side of SQL's `in`. The values are constants of the table declarations, never input. */
export const oneOf = (values: readonly string[]) =>
  sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`);

export const oneText = (value: string) => sql.raw(`'${value}'`);

/** A number as a literal, since the engines store a constraint as text without parameters. */
export const literal = (bound: number) => sql.raw(String(bound));

/** A constant number for drizzle's `limit`, which would pass a number as a parameter. Its types do not allow a literal. */
export const constantLimit = (rows: number) => literal(rows) as unknown as number;
