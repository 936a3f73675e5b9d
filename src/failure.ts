/**
 * Why something failed, for whoever runs the server or a command: with what is underneath, which a client is not told.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.message || ('code' in error && String(error.code)) || error.name;
  return error.cause === undefined ? reason : `${reason} (${reasonOf(error.cause)})`;
}
