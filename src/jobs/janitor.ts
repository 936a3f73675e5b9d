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

/** Removes some expired rows. Gives how many there were. */
interface Chore {
  readonly name: string;
  /** Milliseconds that a row is kept from the moment that it is judged by. */
  readonly keep: number;
  purge(tx: Transaction, before: Date, limit: number): Promise<number>;
}

/** Tokens before their sessions, and mail and links before their invitations, since they refer to them. */
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
  /** Begins to clean, and does so again from time to time. */
  start(): void;
  /** One round: all that is due. Rejects with what the database refuses. */
  sweep(): Promise<void>;
  /** Resolves when nothing is being cleaned any more. */
  stop(): Promise<void>;
}

export interface JanitorOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** How long events are kept, in milliseconds. */
  readonly events: { readonly lifetime: number };
  /** Encrypts with the newest key what is kept under a former one. Part of each round. */
  readonly reseal?: (signal: AbortSignal) => Promise<void>;
  /** Called for a round that failed; the next one comes in its time. */
  readonly onFailure: (error: unknown, chore: string) => void;
}

/**
 * Removes what has become old, in small transactions with pauses between them, so that writers wait for a few
 * milliseconds at most. Several instances may clean at once: each row goes once.
 */
export function createJanitor(options: JanitorOptions): Janitor {
  const { database, clock, onFailure, reseal = async () => {} } = options;
  const chores = choresWith(options.events.lifetime);
  const stopping = new AbortController();
  let working: Promise<void> | undefined;

  /** Rests as many times as long as it worked, so that it takes no more than a small share of the writer's time. */
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
