/** Webhooks and their receivers. */
import { DAY, KIB, MINUTE, SECOND } from './units.ts';

export const WEBHOOKS = {
  /** Maximum webhooks of one organisation: each costs a delivery for every event that it subscribes to. */
  webhooks: 20,
  /** Maximum characters of a webhook's URL, as many as common servers accept. */
  webhookUrlLength: 2000,
  /** Maximum types and patterns of one webhook; with patterns such as `order.*` a few are enough. */
  webhookTypes: 50,
  /** Milliseconds for a delivery attempt, from name resolution to the response (Standard Webhooks: 15 to 30 s). */
  webhookTimeout: 15 * SECOND,
  /** Maximum bytes read of a receiver's response. Only people read the body. */
  webhookAnswerBytes: 64 * KIB,
  /** Bytes of a response that are stored with its attempt: the first lines of an error message. */
  webhookAnswerKept: 1 * KIB,
  /**
   * Milliseconds after which an attempt without an outcome is taken over, since its process has died. Well above
   * `webhookTimeout`, with room for a slow database and for clock skew between instances.
   */
  webhookLease: 60 * SECOND,
  /** Maximum times that one attempt is claimed: a message that crashes the process must not do so forever. */
  webhookClaims: 3,
  /** Concurrent attempts for one webhook, in one process: a slow receiver delays only itself. */
  webhookConcurrency: 4,
  /** Concurrent attempts in one process: each is a socket and up to 64 KiB of response. */
  webhooksConcurrency: 256,
  /** Events that are turned into deliveries in one transaction. */
  webhookBatch: 100,
  /** Milliseconds between two polls for due attempts. An instance sends its own events at once. */
  webhookPoll: 1 * SECOND,
  /** Milliseconds during which notifications of the dispatcher are merged. */
  webhookWakePause: 10,
  /**
   * The dispatcher's pause in multiples of the time that its search took, so that searching takes at most a fifth of the time:
   * with 10,000 webhooks a search takes 10 to 40 ms, and every commit starts one.
   */
  webhookRestFactor: 4,
  /** Milliseconds that a webhook's former secret continues to sign after it was replaced: a day to update receivers. */
  webhookSecretOverlap: 1 * DAY,
  /** Minimum milliseconds between two writes of a webhook's last success: a busy webhook must not cost a write per message. */
  webhookGoodInterval: 1 * MINUTE,
  /** Maximum attempts of one delivery, redeliveries included: one response lists all of them. */
  webhookAttempts: 50,
  /** Milliseconds that a delivery can be read. */
  webhookDeliveryRetention: 30 * DAY,
  /** Milliseconds between two checks for expired deliveries. */
  webhookPurgeInterval: 1 * MINUTE,
  /** Deliveries that are deleted in one transaction, during which others wait on SQLite. */
  webhookPurgeBatch: 200,
  /** Milliseconds to wait for a name server, which is tried twice. */
  nameTimeout: 2 * SECOND,
} as const;
