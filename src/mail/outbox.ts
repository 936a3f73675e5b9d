/**
 * Sends the messages in the outbox. A message is a row that was written in the transaction of its request, so it is neither lost
 * with a process nor sent for a request that failed. The mail server does not delay the response, which does not depend on whether
 * the address has an account. If a process dies between sending a message and removing its row, the message is sent again.
 */
import { PollLoop } from '../core/background.ts';
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { PendingWork } from '../core/pending-work.ts';
import type { Database } from '../db/database.ts';
import { claimMessages, hasDueMessage, removeMessage, rescheduleMessage } from '../db/queries/outbox.ts';
import type { OutboxRow } from '../db/rows.ts';
import type { MailOutcome, Metrics } from '../observability/metrics.ts';
import { compose, recordFirstClaim } from './compose.ts';
import { MessageRefused, type SendMessage } from './transport.ts';

interface OutboxOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Undefined without a mail server: messages then wait for one until they expire. */
  readonly send: SendMessage | undefined;
  /** The public URL of the server, to which links lead. */
  readonly publicUrl: string;
  readonly metrics: Pick<Metrics, 'mail'>;
  /** Called with temporary failures, such as an unavailable mail server. Sending is retried automatically. */
  readonly onFailure: (error: unknown) => void;
  /** Called for a message that will not be sent. */
  readonly onGivenUp: (message: Pick<OutboxRow, 'id' | 'kind' | 'attempts'>, reason: MailOutcome) => void;
  /** Milliseconds between two polls. */
  readonly poll: number;
  /** Milliseconds before the second attempt. */
  readonly retryPause: number;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #loop: PollLoop;
  /** Messages that are being sent. A slow one occupies one place and does not delay the others. */
  readonly #pending = new PendingWork();
  readonly #aborting = new AbortController();

  constructor(options: OutboxOptions) {
    const { poll, onFailure } = options;
    this.#options = options;
    this.#loop = new PollLoop({
      look: () => this.#look(),
      poll,
      // Let the response be sent first: the work on the message takes longer for an address with an account, and must not delay it.
      pause: () => LIMITS.mailWakePause,
      onFailure,
    });
  }

  start(): void {
    if (this.#options.send) this.#loop.start();
  }

  /** Checks for messages now. It is only a hint: polling finds messages that it misses. */
  wake(): void {
    this.#loop.wake();
  }

  /**
   * Stops. Resolves when nothing is being sent. Messages in progress have {@link LIMITS.stopPatience}; then they are aborted, and
   * sent again later.
   */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#pending.endedOrAborted(this.#aborting);
  }

  /** @returns whether there may be more messages to send at once. */
  async #look(): Promise<boolean> {
    const { database, clock, send } = this.#options;
    if (!send) return false;
    const limit = LIMITS.mailBatch - this.#pending.size;
    if (limit <= 0) return false;
    const now = clock();
    if (!(await hasDueMessage(database, { now }))) return false;
    const leasedUntil = new Date(now.getTime() + LIMITS.mailLease);
    const claimed = await database.transaction(async (tx) => {
      const messages = await claimMessages(tx, { now, leasedUntil, limit });
      for (const message of messages) await recordFirstClaim(tx, message, clock);
      return messages;
    });
    for (const message of claimed) this.#begin(message, send);
    return claimed.length > 0;
  }

  /** Sends one message. If that fails because the database is unavailable, the message is due again when its lease expires. */
  #begin(message: OutboxRow, send: SendMessage): void {
    const work = this.#attempt(message, send).catch(this.#options.onFailure);
    void this.#pending.add(work).then(() => this.wake());
  }

  async #attempt(row: OutboxRow, send: SendMessage): Promise<void> {
    const { database, clock, publicUrl } = this.#options;
    if (row.expiresAt <= clock()) return this.#giveUp(row, 'expired');
    const message = await compose(database, row, { clock, publicUrl });
    // The account does not exist, has another password by now, or the invitation is no longer open.
    if (!message) return this.#remove(row);
    try {
      await send(message, this.#aborting.signal);
    } catch (error) {
      if (error instanceof MessageRefused) return this.#giveUp(row, 'refused');
      await this.#retry(row);
      throw error;
    }
    await this.#remove(row);
    this.#options.metrics.mail('sent');
  }

  async #remove({ id }: OutboxRow): Promise<void> {
    await this.#options.database.transaction((tx) => removeMessage(tx, { id }));
  }

  async #giveUp(row: OutboxRow, reason: 'expired' | 'refused'): Promise<void> {
    await this.#remove(row);
    this.#options.metrics.mail(reason);
    this.#options.onGivenUp(row, reason);
  }

  async #retry(row: OutboxRow): Promise<void> {
    const { database, clock, metrics, retryPause } = this.#options;
    const pause = Math.min(retryPause * 2 ** (row.attempts - 1), LIMITS.mailRetryPauseMax);
    const at = new Date(clock().getTime() + pause);
    await database.transaction((tx) => rescheduleMessage(tx, { ...row, at }));
    metrics.mail('failed');
  }
}
