/**
 * Where clients reach this server with their certificates, without a slash at its end; undefined where no port asks for one.
 *
 * @param certifiedPort the port that does.
 */
export function certifiedUrlOf(publicUrl: string, certifiedPort: number | undefined): string | undefined {
  if (certifiedPort === undefined) return undefined;
  const url = new URL(publicUrl);
  url.port = String(certifiedPort);
  return url.href.replace(/\/$/, '');
}

/** The path under which clients reach this server, without a slash at its end: empty when it is the root. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');
