/** Webhooks and their receivers. */
import { DAY, KIB, MINUTE, SECOND } from './units.ts';

export const WEBHOOKS = {
  /** Webhooks of one organisation at most: each costs a delivery for every event that it asks for. */
  webhooks: 20,
  /** Characters of a webhook's URL at most, as much as common servers take. */
  webhookUrlLength: 2000,
  /** Types and patterns that one webhook names at most; with `order.*` and the like a few are enough. */
  webhookTypes: 50,
  /** Milliseconds in which a receiver must have been found, reached and have answered (Standard Webhooks: 15 to 30 s). */
  webhookTimeout: 15 * SECOND,
  /** Bytes read of a receiver's response. The body is for people only. */
  webhookAnswerBytes: 64 * KIB,
  /** Bytes of a response that are kept with its attempt: the first lines of an error message. */
  webhookAnswerKept: 1 * KIB,
  /**
   * Milliseconds after which an attempt without an outcome is taken over: its process has died. Well above
   * `webhookTimeout`, with room for a database that is slow and for clocks of instances that differ.
   */
  webhookLease: 60 * SECOND,
  /** Times that one attempt is taken up: a message that takes the process down with it must not do so for ever. */
  webhookClaims: 3,
  /** Attempts at one webhook at a time, in one process: a slow receiver delays only itself. */
  webhookConcurrency: 4,
  /** Concurrent attempts in one process: each is a socket and up to 64 KiB of response. */
  webhooksConcurrency: 256,
  /** Events that are turned into deliveries in one transaction. */
  webhookBatch: 100,
  /** Milliseconds between two looks for what is due. What this instance writes itself is sent at once. */
  webhookPoll: 1 * SECOND,
  /** Milliseconds in which wakes of the dispatcher are merged. */
  webhookWakePause: 10,
  /**
   * How many times as long as it searched the dispatcher rests, so that searching takes a fifth of the time at most: with
   * 10,000 webhooks it takes 10 to 40 ms, and every commit wakes it.
   */
  webhookRestFactor: 4,
  /** Milliseconds that attempts under way have to end when the server stops, within `shutdownTimeout`. */
  webhookStopPatience: 5 * SECOND,
  /** Milliseconds that a webhook's former secret goes on signing after it was replaced: a day to change receivers over. */
  webhookSecretOverlap: 1 * DAY,
  /** Milliseconds between two writes of when a webhook was last well: a busy one shall not cost a write per message. */
  webhookGoodInterval: 1 * MINUTE,
  /** Attempts at one delivery, redeliveries included: they are one response. */
  webhookAttempts: 50,
  /** Milliseconds that what became of a delivery can be read. */
  webhookDeliveryRetention: 30 * DAY,
  /** Milliseconds between two looks for deliveries whose time is over. */
  webhookPurgeInterval: 1 * MINUTE,
  /** Deliveries that are removed in one transaction, during which others wait on SQLite. */
  webhookPurgeBatch: 200,
  /** Milliseconds to wait for a name server; it is asked twice. */
  nameTimeout: 2 * SECOND,
} as const;
