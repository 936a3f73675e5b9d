/** Scheduling of operations. */
import { SECOND } from './units.ts';

export const SCHEDULING = {
  /**
   * Milliseconds of one turn of the event loop during which operations start: a few usual ones, or one of the most expensive.
   * Sockets are read in between turns, so under load an operation waits at least this long.
   */
  turnTime: 4,
  /**
   * Maximum milliseconds of such a turn. A turn lasts as long as reading the sockets took, so that a flood of requests, most of
   * which are refused, leaves half of the time to serve. The maximum keeps a machine that was paused from serving for as long.
   */
  longestTurn: 500,
  /** Maximum operations waiting for their turn, each with its request in memory: several for each of a few hundred connections. */
  waitingOperations: 2000,
  /** Operations that may wait, however long, without any being shed: those of a few people on a slow machine. */
  calmQueue: 32,
  /**
   * Minimum points of an expensive query. A page of 20 orders with their items costs 122, and reading one in a place would take a fifth
   * more processor time on SQLite, and more than that on PostgreSQL.
   */
  expensiveCost: 130,
  /**
   * Expensive queries that run at once in one process. They share one thread, so more of them would not finish sooner. Each holds
   * connections to PostgreSQL, and its results in memory, which the garbage collector copies while all callers wait.
   */
  expensiveQueries: 2,
  /** The share of a process's connections to PostgreSQL that expensive queries use. */
  expensiveShare: 0.2,
  /** Maximum expensive queries that wait for a place, at about 20 ms each. */
  waitingExpensiveQueries: 64,
  /** Points assumed for an operation whose document has not been read yet: reading takes as long as a few objects. */
  unreadDocumentCost: 10,
  /** Minimum milliseconds between two warnings that operations were shed. */
  shedWarningInterval: 1 * SECOND,
} as const;
