/** Usage statistics. */
import { DAY, SECOND } from './units.ts';

export const USAGE = {
  /** Milliseconds between two writes of the counts: a killed process loses the counts of this time. */
  usageInterval: 5 * SECOND,
  /** Operation names of one organisation that are counted separately per day: each is a row, and clients choose them. */
  usageOperations: 100,
  /** Maximum characters of such a name. */
  usageNameLength: 100,
  /** Maximum counts that wait to be written, for each of the two kinds. While the database is unavailable, no more are kept. */
  usageWaiting: 20_000,
  /** Rows per statement: few enough for SQLite's 32,766 parameters. Prepared statements are cached by their number of rows. */
  usageBatch: 50,
  /** Milliseconds that a process is remembered after its last batch, so that a repeated batch counts once: longer than any outage. */
  countWriterLifetime: DAY,
} as const;
