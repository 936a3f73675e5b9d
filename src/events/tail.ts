/** The end of an organisation's log, read once for all its followers in this process. */
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { eventsAfter } from '../db/queries/events.ts';
import type { EventRow } from '../db/rows.ts';
import { isLost, type LogPosition, logEnd } from './log-position.ts';

export interface TailOptions {
  readonly database: Database;
  readonly org: string;
  /**
   * Delivers new events in order. It calls `enter` with each event when it delivers it, which advances the tail's position. If it
   * rejects, the events that were not entered are delivered again.
   */
  readonly deliver: (events: readonly EventRow[], enter: (event: EventRow) => void) => Promise<void>;
  /**
   * Called with the end of a log that has lost its newest events, before the tail moves there. It ends the followers that have them. If it
   * rejects, it is called again after the next {@link Tail.wake}.
   */
  readonly onLost: (end: LogPosition) => Promise<void>;
  /** Called when reading or delivering has failed. The next {@link Tail.wake} tries again. */
  readonly onFailure: (error: unknown) => void;
}

export class Tail {
  readonly #options: TailOptions;
  #position: LogPosition;
  #running: Promise<void> | undefined;
  /** Whether there may be events after those that the running pass has read. */
  #again = false;
  #closed = false;

  /** @param position the end of the log. */
  constructor(options: TailOptions, position: LogPosition) {
    this.#options = options;
    this.#position = position;
  }

  /** Opens a tail at the current end of the log. */
  static async open(options: TailOptions): Promise<Tail> {
    return new Tail(options, await logEnd(options.database, options.org));
  }

  /** The id of the last event that was entered. */
  get position(): number {
    return this.#position.id;
  }

  /**
   * Moves forward to a position without reading the events in between. Does nothing while reading, or if already further.
   *
   * @param position one that the log has reached.
   */
  moveTo(position: LogPosition): void {
    if (!this.#running && position.id >= this.position) this.#position = position;
  }

  /** Checks for new events. */
  wake(): void {
    this.#again = true;
    if (this.#running || this.#closed) return;
    this.#running = this.#run()
      .catch((error: unknown) => this.#options.onFailure(error))
      .finally(() => {
        this.#running = undefined;
        // A call since the last check has found this loop running and left the work to it.
        if (this.#again) this.wake();
      });
  }

  /** Stops reading. Resolves when the current delivery has finished. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, org, deliver } = this.#options;
    let full = false;
    while ((this.#again || full) && !this.#closed) {
      if (!full) this.#again = false;
      // From the last entered event on: if it is there, the log has lost nothing.
      const reached = this.#position;
      const rows = await eventsAfter(database, { org, fromId: reached.id - 1, limit: LIMITS.logBatch + 1 });
      const [first] = rows;
      const isThere = first?.id === reached.id;
      const isIntact = isThere && first.createdAt.getTime() === reached.createdAt?.getTime();
      if (!isIntact && (await this.verify())) continue;
      const events = isThere ? rows.slice(1) : rows;
      full = events.length >= LIMITS.logBatch;
      if (events.length === 0) continue;
      await deliver(events, (event) => {
        this.#position = event;
      });
    }
  }

  /**
   * Moves to the end of a log that has lost its newest events, as after a failover to a replica that had not received them: the next
   * events get their ids.
   *
   * @returns whether it has.
   */
  async verify(): Promise<boolean> {
    const { database, org, onLost } = this.#options;
    const reached = this.#position;
    if (!(await isLost(database, org, reached))) return false;
    const end = await logEnd(database, org);
    // Before the tail moves: if it fails, the loss is noticed again.
    await onLost(end);
    this.#position = end;
    return true;
  }
}
