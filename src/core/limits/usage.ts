/** Counting what callers use. */
import { DAY, SECOND } from './units.ts';

export const USAGE = {
  /** Milliseconds between two writes of what was counted: what a process that is killed forgets. */
  usageInterval: 5 * SECOND,
  /** Names of operations of one organisation that are counted apart in a day: each is a row, and clients choose them. */
  usageOperations: 100,
  /** Characters of such a name. */
  usageNameLength: 100,
  /** Counts that wait to be written, for each of the two kinds: while the database is away no more are kept. */
  usageWaiting: 20_000,
  /** Rows of one statement: few enough for SQLite's 32,766 parameters, and statements are kept by their size. */
  usageBatch: 50,
  /** Milliseconds after its last batch that a process is remembered, so that one it repeats counts once: no outage lasts as long. */
  countWriterLifetime: DAY,
} as const;
