/** Returns the code of an error itself, not of its causes, such as `ENOENT`; without one, the error as text. */
export const ownCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** Describes an error for operators, with the underlying cause, which clients do not get. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.message || ('code' in error && String(error.code)) || error.name;
  const beneath = error.cause === undefined ? '' : reasonOf(error.cause);
  // Many errors quote their cause.
  return reason.includes(beneath) ? reason : `${reason} (${beneath})`;
}
