/** Exports: whole lists, streamed from one snapshot of the database. */
import { MINUTE, SECOND } from './units.ts';

export const EXPORTS = {
  /**
   * Exports that run at once in one process. Each holds a snapshot, and on PostgreSQL a connection outside of `DATABASE_POOL`.
   */
  exportsAtOnce: 4,
  /** Exports that one organisation may run at once, so that one organisation cannot occupy all places. */
  exportsPerOrganisation: 2,
  /** Seconds after which a client that was refused may try again: a usual export is finished by then. */
  exportRetryAfter: 10,
  /**
   * Maximum milliseconds of an export: a million rows at the default rate of points take 17 minutes. Meanwhile SQLite's
   * write-ahead log grows with every write, and PostgreSQL cannot vacuum changed rows.
   */
  exportTime: 20 * MINUTE,
  /**
   * Milliseconds in which a client must read a page of an export. After that the connection is cut and the snapshot closed.
   * Must be below `silenceTimeout`.
   */
  exportPatience: 30 * SECOND,
  /** Milliseconds that PostgreSQL keeps an idle snapshot: longer than a client may pause. */
  snapshotIdleTimeout: 60 * SECOND,
  /** Rows that an export reads at once: they block the event loop for about 0.5 ms, like other small requests. */
  exportPage: 25,
  /**
   * Milliseconds that an export pauses after each page, multiplied by the number of running exports. Without the pause an export
   * uses all remaining time of the event loop, and garbage collections of 3 ms become frequent enough to raise other requests' p99.
   */
  exportRest: 2,
} as const;
