import { parse, stringify } from 'devalue';
import { ApiError, CATALOGUE, type ErrorCode, type ErrorDetail } from '../core/errors.ts';

/** The final outcome of a mutation: its resolver's value, or an error that a retry would not change. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: ApiError };

/** Returns the value of an outcome. @throws ApiError if the outcome is an error. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** An error as it is stored. */
interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

/** Serialises an outcome. Reading it restores rows exactly, including dates and absent members, which JSON does not preserve. */
export function writeOutcome(outcome: Outcome): string {
  if ('value' in outcome) return stringify({ value: outcome.value });
  const { code, message, details } = outcome.error;
  return stringify({ error: { code, message, ...(details && { details }) } });
}

/** Reads an outcome written by {@link writeOutcome}. */
export function readOutcome(text: string): Outcome {
  // The column contains only values written by `writeOutcome`.
  const stored = parse(text) as { readonly value: unknown } | { readonly error: StoredError };
  if (!('error' in stored)) return stored;
  const { code, message, details } = stored.error;
  if (!isErrorCode(code)) throw new Error(`The stored error code "${code}" is not in the catalogue.`);
  return { error: new ApiError(code, { message, ...(details && { details }), replayed: true }) };
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(CATALOGUE, code);
