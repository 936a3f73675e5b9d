/**
 * Describes an error for operators, with the underlying cause, which clients do not get.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.message || ('code' in error && String(error.code)) || error.name;
  const beneath = error.cause === undefined ? '' : reasonOf(error.cause);
  // Many errors quote their cause.
  return reason.includes(beneath) ? reason : `${reason} (${beneath})`;
}
