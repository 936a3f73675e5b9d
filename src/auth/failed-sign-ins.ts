import { randomInt } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { countAuditEntry } from '../db/queries/audit-entries.ts';
import type { UserRow } from '../db/rows.ts';
import { originOf } from './origins.ts';

/** A wrong password for an account that exists. */
interface FailedSignIn {
  readonly person: Pick<UserRow, 'org' | 'id'>;
  readonly address: string;
  readonly at: 'sign_in' | 'password_change';
}

interface Waiting extends FailedSignIn {
  readonly createdAt: Date;
  occurrences: number;
}

/**
 * Writes wrong passwords to the audit log, some random time later: if requests waited for it, or the server were busy with it just after
 * the response, timing would reveal which addresses have an account. Equal entries that wait to be written are merged into one.
 */
export class FailedSignIns {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** @param onFailure called for each write that failed. */
  constructor(database: Database, clock: Clock, onFailure: (error: unknown) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  note(failed: FailedSignIn): void {
    const { person, address, at } = failed;
    const key = `${person.id} ${at} ${address}`;
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.occurrences += 1;
    else this.#waiting.set(key, { ...failed, createdAt: this.#clock(), occurrences: 1 });
    const { least, most } = LIMITS.failedSignInDelay;
    this.#timer ??= setTimeout(() => this.settled(), randomInt(least, most)).unref();
  }

  /** Writes all entries that wait, and resolves when they are written. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Entries that are noted while others are written wait for the next call.
    await this.#writing;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (const [key, waiting] of this.#waiting) {
      // From here on, equal entries are counted separately.
      this.#waiting.delete(key);
      try {
        await this.#write(waiting);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }

  async #write({ person: { org, id }, address, at, createdAt, occurrences }: Waiting): Promise<void> {
    const origin = originOf(null, address);
    const period = Math.floor(createdAt.getTime() / LIMITS.auditPeriod);
    await this.#database.transaction((tx) =>
      countAuditEntry(tx, {
        ...origin,
        org,
        type: 'user.sign_in_failed',
        actorId: null,
        subjectType: 'user',
        subjectId: id,
        data: { at },
        createdAt,
        groupKey: `${id} ${at} ${period}`,
        likeness: origin.address ?? '',
        occurrences,
      }),
    );
  }
}
