import { parse, stringify } from 'devalue';
import { ApiError, CATALOGUE, type ErrorCode, type ErrorDetail } from '../core/errors.ts';

/** The final outcome of a mutation: its resolver's value, or an error that a retry would not change. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: ApiError };

/** @throws ApiError an outcome that is an error. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** As it is kept. */
interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

/**
 * An outcome as text. Rows come back as they were: a moment is a moment again, and what was left out stays left out,
 * which JSON alone would not tell.
 */
export function writeOutcome(outcome: Outcome): string {
  if ('value' in outcome) return stringify({ value: outcome.value });
  const { code, message, details } = outcome.error;
  return stringify({ error: { code, message, ...(details && { details }) } });
}

/** What {@link writeOutcome} wrote. */
export function readOutcome(text: string): Outcome {
  // Only what was written above is in the column.
  const stored = parse(text) as { readonly value: unknown } | { readonly error: StoredError };
  if (!('error' in stored)) return stored;
  const { code, message, details } = stored.error;
  if (!isErrorCode(code)) throw new Error(`The stored error code "${code}" is not in the catalogue.`);
  return { error: new ApiError(code, { message, ...(details && { details }), replayed: true }) };
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(CATALOGUE, code);
