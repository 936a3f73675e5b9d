/** The database and Redis: waiting, connections, and what a read looks at. */
import { SECOND } from './units.ts';

export const DATABASE = {
  /** Callers that may wait for a connection to PostgreSQL, or for SQLite's writer: each holds its request in memory. */
  waitingForDatabase: 2000,
  /** Milliseconds one database statement may take. */
  statementTimeout: 10 * SECOND,
  /** Milliseconds that a caller waits for a connection to PostgreSQL: half of the above, to leave time for its work. */
  acquireTimeout: 5 * SECOND,
  /** Milliseconds that a writer waits for another process to let go of SQLite's file: as for a connection. */
  busyTimeout: 5 * SECOND,
  /** Transactions that SQLite commits together at most, which bounds how long the first of them waits for the last. */
  groupCommit: 128,
  /** Milliseconds after which such a group commits, so that a transaction that waits for the next one does so briefly. */
  groupCommitTime: 50,
  /** Milliseconds to wait for a silent database server before a start fails. */
  connectTimeout: 5 * SECOND,
  /**
   * Milliseconds that statements on SQLite take of one turn of the event loop, before further ones wait for the next turn. They
   * run on the thread that serves all requests.
   */
  readTurn: 3,
  /** Milliseconds between two looks at how far replicas have come. */
  replicaPoll: 500,
  /** Milliseconds that a replica may be behind: it serves callers who have written nothing meanwhile. */
  replicaLag: 10 * SECOND,
  /** Milliseconds that a read waits for a replica to have what its caller has written, before it goes to the primary. */
  replicaPatience: 50,
  /** Milliseconds that a change waits for all replicas to have it where Redis cannot say who lacks it: many times their usual lag. */
  replicaCatchUp: 1 * SECOND,
  /** Callers whose last change an instance remembers. Of one that it has forgotten, Redis knows. */
  rememberedWriters: 10_000,
  /** Milliseconds that a command may wait for Redis, which usually takes one. Callers can do without the result. */
  redisTimeout: 500,
  /** Milliseconds that a start waits for Redis: one to connect and one for its first response. */
  redisFirstAttempt: 1000,
  /** Milliseconds between two attempts to reach a Redis that is lost, at most. Each instance keeps trying. */
  redisRetryPause: 2 * SECOND,
  /**
   * Rows that one page by cursor looks at, where the reader may not see all of them. A page that has looked at as many ends
   * there, however few of them it shows, and its cursor goes on: 1 ms on SQLite, where a feed has to look for the document of each.
   */
  rowsLookedAt: 250,
  /**
   * Orders that one page of an organisation's list looks at, where filters hide some. They are passed in an index that has what
   * the filters ask for: 2 ms on either engine.
   */
  ordersLookedAt: 5000,
  /**
   * Documents of one author that a list within another list looks at. It has no cursor, and a page may have such a list for each
   * of its rows: with 100 of them one statement passes 10,000 entries of an index, some 7 ms on SQLite.
   */
  rowsLookedAtPerParent: 100,
  /** Texts of documents that one statement reads: some 2 ms on SQLite, where each of them is as long as it may be. */
  bodiesReadAtOnce: 20,
} as const;
