/** Scheduling of operations. */
import { SECOND } from './units.ts';

export const SCHEDULING = {
  /**
   * Milliseconds of one turn of the event loop in which operations start: some of the usual ones, or one of the most expensive.
   * Sockets are read in between, so this is what an operation waits for at least when others are busy.
   */
  turnTime: 2,
  /**
   * Milliseconds of such a turn at most, where reading what came took as long: in a flood of requests, of which most are turned away.
   * With less, reading would leave a small part of the time to serve; a machine that paused is not to serve for as long.
   */
  longestTurn: 500,
  /** Operations that may wait for their turn, each with its request in memory: some for each of a few hundred connections. */
  waitingOperations: 2000,
  /** Operations that may wait without shedding, however long: those of a few people on a slow machine. */
  calmQueue: 32,
  /** Points from which a query is expensive: a page of 20 orders with their items costs less. */
  expensiveCost: 100,
  /**
   * Expensive queries that run at once in one process. They share one thread, so that more of them would end no sooner; each holds
   * what it has read in memory, which the garbage collector copies while all callers wait, and connections to PostgreSQL.
   */
  expensiveQueries: 2,
  /** The share of a process's connections to PostgreSQL that expensive queries use. */
  expensiveShare: 0.2,
  /** Expensive queries that may wait for a place, some 20 ms each. */
  waitingExpensiveQueries: 64,
  /** Points that an operation is taken to cost before its document was read, which takes as long as some objects. */
  unreadDocumentCost: 10,
  /** Milliseconds between two warnings that operations were turned away. */
  shedWarningInterval: 1 * SECOND,
} as const;
