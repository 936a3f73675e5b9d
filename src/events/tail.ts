/** The end of an organisation's log, read once for all its followers in this process. */

import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { eventsAfter, newestEventId } from '../db/queries/events.ts';
import type { EventRow } from '../db/rows.ts';

export interface TailOptions {
  readonly database: Database;
  readonly org: string;
  /**
   * Given what is new, in order. It calls `enter` with each event when its turn comes, which moves the tail's position. What
   * was not entered when it rejects is given again.
   */
  readonly deliver: (events: readonly EventRow[], enter: (event: EventRow) => void) => Promise<void>;
  /** Called when the log could not be read, or not delivered. The next wake tries again. */
  readonly onFailure: (error: unknown) => void;
}

export class Tail {
  readonly #options: TailOptions;
  #position: number;
  #running: Promise<void> | undefined;
  /** Whether something may have come after what the running pass has read. */
  #again = false;
  #closed = false;

  private constructor(options: TailOptions, position: number) {
    this.#options = options;
    this.#position = position;
  }

  /** Begins at the present end of the log. */
  static async open(options: TailOptions): Promise<Tail> {
    return new Tail(options, await newestEventId(options.database, options.org));
  }

  /** Id of the last event that was entered. */
  get position(): number {
    return this.#position;
  }

  /** Goes on from there without having read what lies between, unless it is reading or further on already. */
  moveTo(position: number): void {
    if (!this.#running) this.#position = Math.max(this.#position, position);
  }

  /** Looks whether the log has grown. */
  wake(): void {
    this.#again = true;
    if (this.#running || this.#closed) return;
    this.#running = this.#run()
      .catch((error: unknown) => this.#options.onFailure(error))
      .finally(() => {
        this.#running = undefined;
        // A wake since the last look found this loop running and left the work to it.
        if (this.#again) this.wake();
      });
  }

  /** Reads no more. Resolves when what was being delivered has been. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, org, deliver } = this.#options;
    let full = false;
    while ((this.#again || full) && !this.#closed) {
      if (!full) this.#again = false;
      const rows = await eventsAfter(database, org, this.#position, LIMITS.logBatch);
      full = rows.length === LIMITS.logBatch;
      if (rows.length > 0) await deliver(rows, (event) => this.#enter(event));
    }
  }

  #enter({ id }: EventRow): void {
    this.#position = id;
  }
}
