/** SQL that writes many rows, for tests of long lists and of plans. */
import type { TestEngine } from './engines.ts';

/** Enough rows for a plan on SQLite, which keeps no statistics: its plans do not depend on the number of rows. */
const ROWS_FOR_SQLITE_PLAN = 500;

export interface ManyRows {
  /** The time of rows that have the same one, in SQL. */
  readonly now: string;
  /** The time of row `n`, that many milliseconds or seconds after {@link now}, in SQL. */
  at(unit: 'millisecond' | 'second'): string;
  /** The table `c` with the numbers from 1, or another first one, to the last in column `n`, in SQL. */
  numbers(last: number, first?: number): string;
}

export function manyRows({ name }: TestEngine): ManyRows {
  if (name === 'sqlite') {
    const now = '1767225600000';
    return {
      now,
      at: (unit) => `${now} + n * ${unit === 'second' ? 1000 : 1}`,
      numbers: (last, first = 1) =>
        `(with recursive c(n) as (select ${first} union all select n + 1 from c where n < ${last}) select n from c) as c`,
    };
  }
  const now = "timestamptz '2026-01-01T00:00:00Z'";
  return {
    now,
    at: (unit) => `${now} + n * interval '1 ${unit}'`,
    numbers: (last, first = 1) => `generate_series(${first}, ${last}) as c(n)`,
  };
}

/** The same for tests that only ask for plans: few rows on SQLite. */
export function rowsForPlans(engine: TestEngine): ManyRows {
  const rows = manyRows(engine);
  if (engine.name !== 'sqlite') return rows;
  return { ...rows, numbers: (last, first) => rows.numbers(Math.min(last, ROWS_FOR_SQLITE_PLAN), first) };
}
