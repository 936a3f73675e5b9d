/**
 * Why something failed, for whoever runs the server or a command: with what is underneath, which a client is not told.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.message || ('code' in error && String(error.code)) || error.name;
  const beneath = error.cause === undefined ? '' : reasonOf(error.cause);
  // Many errors quote what is beneath them.
  return reason.includes(beneath) ? reason : `${reason} (${beneath})`;
}
