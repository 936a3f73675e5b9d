import { codeOf } from './errors.ts';

/**
 * Codes of a database that can be read but not be changed, until an operator does something: a full disk, a disk that fails, a
 * database or file that has become read-only.
 */
const REFUSAL = /^(53100|58030|25006|SQLITE_(FULL|READONLY|IOERR)(_\w+)?)$/;

/** Whether the database refuses changes, according to the last one, so that a probe does not have to write. */
export class WriteOutcome {
  #refused = false;

  get refused(): boolean {
    return this.#refused;
  }

  committed(): void {
    this.#refused = false;
  }

  /** Errors of another kind, such as a constraint, say nothing about the next change. */
  failed(error: unknown): void {
    if (REFUSAL.test(codeOf(error) ?? '')) this.#refused = true;
  }
}
