import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';
import { purgeAuditEntries } from '../db/queries/audit-entries.ts';
import { purgeCountWriters } from '../db/queries/count-writers.ts';
import { purgeDeprecatedUses } from '../db/queries/deprecated-uses.ts';
import { purgeRecords, purgeUnfinishedRecords } from '../db/queries/idempotency.ts';
import { purgeInvitations } from '../db/queries/invitations.ts';
import { purgeLinkTokens } from '../db/queries/link-tokens.ts';
import { purgeEventsBefore } from '../db/queries/log-starts.ts';
import { purgeOAuthRecords } from '../db/queries/oauth-records.ts';
import { purgeOperationUses } from '../db/queries/operation-uses.ts';
import { purgeMessages } from '../db/queries/outbox.ts';
import { purgePaymentEvents } from '../db/queries/payment-events.ts';
import { purgeRefreshTokens, purgeSessions } from '../db/queries/session-purges.ts';

/** A kind of rows that expire. */
interface Chore {
  readonly name: string;
  /** Milliseconds that a row is kept after the time that `purge` compares. */
  readonly keep: number;
  /** Deletes expired rows, at most `limit`, and returns how many. */
  purge(tx: Transaction, before: Date, limit: number): Promise<number>;
}

/** In order of references: tokens before their sessions, and mail and links before their invitations. */
const choresWith = (eventLifetime: number): readonly Chore[] => [
  { name: 'events', keep: eventLifetime, purge: purgeEventsBefore },
  { name: 'audit entries', keep: eventLifetime, purge: purgeAuditEntries },
  { name: 'uses of operations', keep: eventLifetime, purge: purgeOperationUses },
  { name: 'uses of what is deprecated', keep: eventLifetime, purge: purgeDeprecatedUses },
  { name: 'writers of counts', keep: LIMITS.countWriterLifetime, purge: purgeCountWriters },
  { name: 'idempotency records', keep: LIMITS.idempotencyLifetime, purge: purgeRecords },
  {
    name: 'idempotency records without an outcome',
    keep: LIMITS.unfinishedRecordLifetime,
    purge: purgeUnfinishedRecords,
  },
  { name: 'payment events', keep: LIMITS.paymentEventLifetime, purge: purgePaymentEvents },
  { name: 'records of the authorization server', keep: 0, purge: purgeOAuthRecords },
  { name: 'mail', keep: 0, purge: purgeMessages },
  { name: 'links in mail', keep: LIMITS.linkRetention, purge: purgeLinkTokens },
  { name: 'invitations', keep: eventLifetime, purge: purgeInvitations },
  { name: 'refresh tokens', keep: 0, purge: purgeRefreshTokens },
  { name: 'sessions', keep: 0, purge: purgeSessions },
];

export interface Janitor {
  /** Starts to clean periodically. */
  start(): void;
  /** Deletes all expired rows once. Rejects with database errors. */
  sweep(): Promise<void>;
  /** Stops. Resolves when the current transaction has finished. */
  stop(): Promise<void>;
}

export interface JanitorOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Milliseconds that events are kept. */
  readonly events: { readonly lifetime: number };
  /** Re-encrypts secrets under a former key with the newest one. Called in each round. */
  readonly reseal?: (signal: AbortSignal) => Promise<void>;
  /** Called for each chore that failed. It is tried again in the next round. */
  readonly onFailure: (error: unknown, chore: string) => void;
}

/**
 * Deletes expired rows, in small transactions with pauses in between, so that writers wait for a few milliseconds at most. Several
 * instances may clean at once: each row is deleted once.
 */
export function createJanitor(options: JanitorOptions): Janitor {
  const { database, clock, onFailure, reseal = async () => {} } = options;
  const chores = choresWith(options.events.lifetime);
  const stopping = new AbortController();
  let working: Promise<void> | undefined;

  /** Pauses for a multiple of the time worked, so that the janitor takes only a small share of the writer's time. */
  async function rest(worked: number): Promise<void> {
    const pause = Math.max(LIMITS.purgePause, worked * LIMITS.purgeRestFactor);
    await sleep(pause, undefined, { signal: stopping.signal, ref: false });
  }

  async function clean({ keep, purge }: Chore): Promise<void> {
    for (;;) {
      const begun = monotonicTime();
      const before = new Date(clock().getTime() - keep);
      const removed = await database.transaction((tx) => purge(tx, before, LIMITS.purgeBatch));
      if (removed < LIMITS.purgeBatch || stopping.signal.aborted) return;
      await rest(monotonicTime() - begun);
    }
  }

  async function sweep(): Promise<void> {
    await reseal(stopping.signal);
    for (const chore of chores) {
      if (stopping.signal.aborted) return;
      await clean(chore);
    }
  }

  async function round(): Promise<void> {
    const reporting = (work: Promise<void>, name: string) =>
      work.catch((error: unknown) => {
        if (!stopping.signal.aborted) onFailure(error, name);
      });
    await reporting(reseal(stopping.signal), 'secrets under a former key');
    for (const chore of chores) await reporting(clean(chore), chore.name);
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round();
      // The pause rejects only when it is aborted.
      await sleep(LIMITS.purgeInterval, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  return {
    start() {
      working ??= work();
    },
    sweep,
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
