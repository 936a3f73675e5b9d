/** The database and Redis: waiting, connections, and how many rows a read examines. */
import { SECOND } from './units.ts';

export const DATABASE = {
  /** Rows that a command of an operator reads or shows at once. */
  commandPage: 100,
  /** Callers that may wait for a connection to PostgreSQL, or for SQLite's writer: each holds its request in memory. */
  waitingForDatabase: 2000,
  /**
   * Statements of a caller that share a connection to PostgreSQL, which runs one after the other. Usual ones take 0.1 ms. More of them
   * save little.
   */
  readsTogether: 4,
  /** Maximum milliseconds of one database statement. */
  statementTimeout: 10 * SECOND,
  /**
   * Maximum milliseconds of the transaction that imports `importedProducts`, on a busy machine. Other writers wait for it: all of them on
   * SQLite, those of the organisation on PostgreSQL.
   */
  importTransaction: 120 * SECOND,
  /** Milliseconds that a caller waits for a connection to PostgreSQL: half of `statementTimeout`, to leave time for its work. */
  acquireTimeout: 5 * SECOND,
  /** Milliseconds that a writer waits for another process to release SQLite's file lock, the same as for a connection. */
  busyTimeout: 5 * SECOND,
  /** Maximum transactions that SQLite commits together, which bounds how long the first of them waits for the last. */
  groupCommit: 128,
  /** Milliseconds after which such a group commits, so that a transaction waits only briefly for the next group. */
  groupCommitTime: 50,
  /** Milliseconds to wait for an unresponsive database server before startup fails. */
  connectTimeout: 5 * SECOND,
  /**
   * Milliseconds that the statements of an operation on SQLite may use before further ones wait for the next turn of the event loop.
   * They run on the thread that serves all requests.
   */
  readTurn: 3,
  /** Milliseconds between two checks of the replicas' positions. */
  replicaPoll: 500,
  /** Maximum lag of a replica in milliseconds. Within it, a replica serves callers who have written nothing meanwhile. */
  replicaLag: 10 * SECOND,
  /** Milliseconds that a read waits for a replica to have its caller's last change before it uses the primary. */
  replicaPatience: 50,
  /** Milliseconds that a change waits for all replicas to have it when Redis could not record it: many times their usual lag. */
  replicaCatchUp: 1 * SECOND,
  /** Callers whose last change an instance remembers. Redis has the changes that an instance has forgotten. */
  rememberedWriters: 10_000,
  /** Milliseconds that a command may wait for Redis, which usually takes one millisecond. Callers can do without the result. */
  redisTimeout: 500,
  /** Milliseconds that startup waits for Redis: one `redisTimeout` to connect and one for its first response. */
  redisFirstAttempt: 1000,
  /** Maximum milliseconds between two attempts to reconnect to Redis. Each instance keeps trying. */
  redisRetryPause: 2 * SECOND,
  /**
   * Maximum rows that one page by cursor examines where the reader may not see all of them. The page ends there, however few rows
   * it contains, and its cursor continues: 1 ms on SQLite, where a feed has to look up the document of each.
   */
  rowsLookedAt: 250,
  /**
   * Maximum orders that one page of an organisation's list examines where filters hide some. They are skipped within an index
   * that has the filtered columns: 2 ms on either engine.
   */
  ordersLookedAt: 5000,
  /**
   * Maximum documents of one author that a list nested in another list examines. It has no cursor, and a page may have such a
   * list for each of its rows: with 100 rows, one statement scans 10,000 index entries, about 7 ms on SQLite.
   */
  rowsLookedAtPerParent: 100,
  /** Document bodies that one statement reads: about 2 ms on SQLite if each has the maximum length. */
  bodiesReadAtOnce: 20,
} as const;
