/**
 * Delivers events to webhooks. Its state is in the database, so any number of instances
 * can share the work, and an instance that dies leaves only leases, which expire.
 */
import type { Wakes } from '../cluster/wakes.ts';
import { PollLoop } from '../core/background.ts';
import { type Clock, monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { PendingWork } from '../core/pending-work.ts';
import { type Vault, VaultError } from '../core/vault.ts';
import type { Database } from '../db/database.ts';
import {
  type AttemptToMake,
  claimAttempts,
  type DueWebhook,
  giveBackAttempt,
  webhooksWithDue,
} from '../db/queries/webhook-attempts.ts';
import { webhooksBehind } from '../db/queries/webhook-deliveries.ts';
import { removeOldDeliveries } from '../db/queries/webhook-retention.ts';
import type { Metrics } from '../observability/metrics.ts';
import { AttemptSlots, type AttemptSlotsOptions } from './attempt-slots.ts';
import { makeDeliveries } from './deliveries.ts';
import { writeOutcome } from './outcomes.ts';
import { SCHEDULE } from './schedule.ts';
import { vaultPath } from './secrets.ts';
import { failure, messageOf, type Outcome, type Send } from './sender.ts';

export interface DispatcherOptions {
  readonly database: Database;
  /** Notifies of new events, of this instance and of others. */
  readonly wakes: Pick<Wakes, 'onWake'>;
  readonly clock: Clock;
  readonly send: Send;
  /** Decrypts the secrets that sign messages. */
  readonly vault: Vault;
  readonly metrics: Pick<Metrics, 'webhookAttempt' | 'readerLag'>;
  /** Called with internal failures, such as an unreachable database. The dispatcher then retries. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds before each attempt, {@link SCHEDULE} by default. */
  readonly schedule?: readonly number[];
  /** Milliseconds that an instance holds an attempt that it claimed, {@link LIMITS.webhookLease} by default. */
  readonly lease?: number;
  /** Milliseconds between two polls, {@link LIMITS.webhookPoll} by default. */
  readonly poll?: number;
  readonly random?: () => number;
  /** How many attempts run at once. */
  readonly concurrency?: Omit<AttemptSlotsOptions, 'onFreed'>;
}

export class Dispatcher {
  readonly #options: Required<DispatcherOptions>;
  readonly #aborting = new AbortController();
  readonly #pending = new PendingWork();
  readonly #slots: AttemptSlots;
  readonly #loop: PollLoop;
  #endListening: (() => void) | undefined;
  #nextPurge = 0;
  #draining = false;
  /** Duration of the last search for due webhooks, in milliseconds. It grows with their number. */
  #searchTime = 0;

  constructor(options: DispatcherOptions) {
    this.#options = {
      schedule: SCHEDULE,
      lease: LIMITS.webhookLease,
      poll: LIMITS.webhookPoll,
      random: Math.random,
      concurrency: {},
      ...options,
    };
    this.#slots = new AttemptSlots({ ...this.#options.concurrency, onFreed: () => this.wake() });
    const { poll, onFailure } = this.#options;
    this.#loop = new PollLoop({
      look: () => this.#search(),
      poll,
      // The pause batches events that arrive within it.
      pause: () =>
        Math.max(LIMITS.webhookWakePause, Math.min(this.#searchTime * LIMITS.webhookRestFactor, poll)),
      onFailure,
    });
  }

  start(): void {
    // Wakes without an organisation come from a timer, and the dispatcher has its own.
    this.#endListening ??= this.#options.wakes.onWake((org) => {
      if (org !== undefined) this.wake();
    });
    this.#loop.start();
  }

  /** Checks for due work now. Only a hint: polling finds work that it misses. */
  wake(): void {
    this.#loop.wake();
  }

  /** Stops claiming attempts. */
  drain(): void {
    this.#draining = true;
    this.#loop.drain();
  }

  /**
   * Resolves when nothing is running. Attempts in progress have {@link LIMITS.stopPatience} to finish; then they are
   * aborted and released, for another instance or for this one after its restart.
   */
  async stop(): Promise<void> {
    this.drain();
    this.#endListening?.();
    await this.#loop.stop();
    await this.#pending.endedOrAborted(this.#aborting);
  }

  /** @returns whether there may be more work right away. */
  async #search(): Promise<boolean> {
    const { database, clock, schedule } = this.#options;
    const begun = monotonicTime();
    const behind = await webhooksBehind(database, { limit: LIMITS.webhookBatch });
    this.#searchTime = monotonicTime() - begun;
    let moved = false;
    for (const webhook of behind) {
      moved =
        (await this.#attempt(() => makeDeliveries(database, webhook, schedule.length, clock()))) || moved;
    }
    const begunAgain = monotonicTime();
    const due = await webhooksWithDue(database, { now: clock() });
    this.#searchTime += monotonicTime() - begunAgain;
    // Fewest attempts in progress first, so that slow receivers do not take all the slots. Ties keep the order of longest wait, so that
    // every webhook is served when there are fewer slots than webhooks.
    const inFairOrder = due.toSorted(
      (a, b) => this.#slots.busyWith(a.webhookId) - this.#slots.busyWith(b.webhookId),
    );
    for (const webhook of inFairOrder) await this.#attempt(() => this.#claim(webhook));
    await this.#attempt(() => this.#purge());
    return moved;
  }

  /** Removes one batch of deliveries past their retention. */
  async #purge(): Promise<void> {
    const { database, clock } = this.#options;
    const now = clock().getTime();
    if (now < this.#nextPurge) return;
    const before = new Date(now - LIMITS.webhookDeliveryRetention);
    const removed = await removeOldDeliveries(database, before, LIMITS.webhookPurgeBatch);
    // A full batch means that there may be more: each following search removes another batch.
    if (removed < LIMITS.webhookPurgeBatch) this.#nextPurge = now + LIMITS.webhookPurgeInterval;
  }

  /** Runs work for one webhook; its failure does not affect others. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    if (this.#draining) return false;
    try {
      await work();
      return true;
    } catch (error) {
      this.#options.onFailure(error);
      return false;
    }
  }

  async #claim(webhook: DueWebhook): Promise<void> {
    const { database, clock, lease } = this.#options;
    const free = this.#slots.freeFor(webhook.webhookId);
    if (free === 0 || this.#draining) return;
    const now = clock();
    const leasedUntil = new Date(now.getTime() + lease);
    const claimed = await database.transaction((tx) => claimAttempts(tx, webhook, free, now, leasedUntil));
    for (const job of claimed) this.#begin(job);
  }

  #begin(job: AttemptToMake): void {
    const release = this.#slots.take(job.attempt.webhookId);
    const work = this.#make(job)
      .catch((error: unknown) => this.#options.onFailure(error))
      .finally(release);
    void this.#pending.add(work).then(() => this.wake());
  }

  async #make(job: AttemptToMake): Promise<void> {
    const { database, send, metrics, clock } = this.#options;
    const { attempt, event } = job;
    if (attempt.claims > LIMITS.webhookClaims) return this.#write(job, failure('interrupted'), null);
    if (!event) return this.#write(job, failure('event_gone'), null);
    if (attempt.number === 1) {
      metrics.readerLag('webhooks', (clock().getTime() - event.createdAt.getTime()) / 1000);
    }
    const secrets = await this.#secretsOf(job);
    if (!secrets) return this.#write(job, failure('interrupted'), null);
    const message = messageOf(job, event, secrets, clock());
    const { signal } = this.#aborting;
    const started = monotonicTime();
    const outcome = await send(message, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    if (outcome) return this.#write(job, outcome, Math.round(monotonicTime() - started));
    await database.transaction((tx) => giveBackAttempt(tx, attempt));
  }

  /** The secrets to sign with. Undefined if the secret cannot be decrypted: an administrator can replace it between attempts. */
  async #secretsOf(job: AttemptToMake): Promise<readonly string[] | undefined> {
    const { vault, clock, onFailure } = this.#options;
    const { secret, formerSecret, formerSecretUntil, attempt } = job;
    const path = vaultPath({ org: attempt.org, id: attempt.webhookId });
    const open = (kept: string) =>
      vault.open(kept, path).catch((error: unknown) => {
        if (!(error instanceof VaultError)) throw error;
        onFailure(error);
        return undefined;
      });
    const present = await open(secret);
    if (present === undefined) return undefined;
    const isOverlapping = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > clock();
    const former = isOverlapping ? await open(formerSecret) : undefined;
    return former === undefined ? [present] : [present, former];
  }

  async #write(job: AttemptToMake, outcome: Outcome, durationMs: number | null): Promise<void> {
    const { database, metrics } = this.#options;
    const result = await database.transaction((tx) =>
      writeOutcome(tx, job, outcome, durationMs, this.#options),
    );
    if (result) metrics.webhookAttempt(result, (durationMs ?? 0) / 1000);
  }
}
