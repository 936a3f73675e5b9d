/** Exports: whole lists, streamed from one snapshot of the database. */
import { MINUTE, SECOND } from './units.ts';

export const EXPORTS = {
  /**
   * Exports that run at once in one process: each holds a snapshot, and on PostgreSQL a connection beside those of `DATABASE_POOL`.
   */
  exportsAtOnce: 4,
  /** Exports of one organisation at once, so that two organisations do not keep a third one waiting. */
  exportsPerOrganisation: 2,
  /** Seconds after which a client that found no place may try again: a usual export is over by then. */
  exportRetryAfter: 10,
  /**
   * Milliseconds that an export may take: a million rows at the default rate of points take 17 minutes. Meanwhile SQLite's log grows
   * with all that is written, and PostgreSQL cannot vacuum what was changed.
   */
  exportTime: 20 * MINUTE,
  /**
   * Milliseconds in which a client must take a page of an export. One that does not read has its connection cut and its snapshot
   * closed. It is below `silenceTimeout`.
   */
  exportPatience: 30 * SECOND,
  /** Milliseconds that PostgreSQL keeps a snapshot that reads nothing: longer than a client may pause. */
  snapshotIdleTimeout: 60 * SECOND,
  /** Rows that an export reads at once: it holds up the event loop for some 0.5 ms, as other small requests do. */
  exportPage: 25,
  /**
   * Milliseconds that an export rests after each page, times the exports that run. Without it an export takes all the time that the
   * event loop has left, and garbage collection, of 3 ms each, comes so often that it shows in the p99 of others.
   */
  exportRest: 2,
} as const;
