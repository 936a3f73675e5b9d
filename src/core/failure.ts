import { ApiError } from './errors.ts';

/** Returns the code of an error itself, not of its causes, such as `ENOENT`; without one, the error as text. */
export const ownCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** Describes an error for operators, with the underlying cause, which clients do not get. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its message asks clients to try again; the cause may be permanent, such as a database that does not exist.
  if (error instanceof ApiError && error.isUnavailable && error.cause !== undefined)
    return reasonOf(error.cause);
  const reason = error.message || ('code' in error && String(error.code)) || error.name;
  const beneath = error.cause === undefined ? '' : reasonOf(error.cause);
  // Many errors quote their cause.
  return reason.includes(beneath) ? reason : `${reason} (${beneath})`;
}
