import { sql } from './drizzle/index.ts';

/** A list of values as the right side of SQL's `in`. The values are constants of these files, never input. */
export const oneOf = (values: readonly string[]) =>
  sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`);

export const oneText = (value: string) => sql.raw(`'${value}'`);

/** A bound as a literal: a constraint is kept as text by the engines and cannot have parameters. */
export const literal = (bound: number) => sql.raw(String(bound));
