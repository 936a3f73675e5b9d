import { Rounds } from '../core/background.ts';
import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';
import { purgeAuditEntries } from '../db/queries/audit-entries.ts';
import { purgeRecords, purgeUnfinishedRecords } from '../db/queries/idempotency.ts';
import { purgeInvitations } from '../db/queries/invitations.ts';
import { purgeLinkTokens } from '../db/queries/link-tokens.ts';
import { purgeEventsBefore } from '../db/queries/log-starts.ts';
import { purgeDeviceCodes, purgeOAuthRecords } from '../db/queries/oauth-records.ts';
import { purgeMessages } from '../db/queries/outbox.ts';
import { purgePaymentEvents } from '../db/queries/payment-events.ts';
import { purgeRefreshTokens, purgeSessions } from '../db/queries/sessions.ts';
import { purgeCountWriters, purgeDeprecatedUses, purgeOperationUses } from '../db/queries/use-counts.ts';

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
  { name: 'device codes', keep: LIMITS.expiredCodeRetention, purge: purgeDeviceCodes },
  { name: 'mail', keep: 0, purge: purgeMessages },
  { name: 'links in mail', keep: LIMITS.linkRetention, purge: purgeLinkTokens },
  { name: 'invitations', keep: eventLifetime, purge: purgeInvitations },
  { name: 'refresh tokens', keep: 0, purge: purgeRefreshTokens },
  { name: 'sessions', keep: 0, purge: purgeSessions },
];

interface JanitorOptions {
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
export class Janitor extends Rounds {
  readonly #options: JanitorOptions;
  readonly #chores: readonly Chore[];

  constructor(options: JanitorOptions) {
    super(LIMITS.purgeInterval);
    this.#options = options;
    this.#chores = choresWith(options.events.lifetime);
  }

  /** Deletes all expired rows once. Rejects with database errors. */
  async sweep(): Promise<void> {
    await this.#options.reseal?.(this.stopping);
    for (const chore of this.#chores) await this.#clean(chore);
  }

  protected async round(): Promise<void> {
    await this.#reporting('secrets under a former key', async () => this.#options.reseal?.(this.stopping));
    for (const chore of this.#chores) await this.#reporting(chore.name, () => this.#clean(chore));
  }

  async #reporting(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.stopping.aborted) this.#options.onFailure(error, name);
    }
  }

  async #clean({ keep, purge }: Chore): Promise<void> {
    const { database, clock } = this.#options;
    while (!this.stopping.aborted) {
      const begun = monotonicTime();
      const before = new Date(clock().getTime() - keep);
      const removed = await database.transaction((tx) => purge(tx, before, LIMITS.purgeBatch));
      if (removed < LIMITS.purgeBatch) return;
      // A multiple of the time worked, so that the janitor takes only a small share of the writer's time.
      const worked = monotonicTime() - begun;
      await this.pause(Math.max(LIMITS.purgePause, worked * LIMITS.purgeRestFactor));
    }
  }
}
