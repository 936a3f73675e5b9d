/** The URL for requests with a client certificate, at the port that asks for them; without a trailing slash, undefined without a port. */
export function certifiedUrlOf(publicUrl: string, certifiedPort: number | undefined): string | undefined {
  if (certifiedPort === undefined) return undefined;
  const url = new URL(publicUrl);
  url.port = String(certifiedPort);
  return url.href.replace(/\/$/, '');
}

/** The path under which clients reach this server, without a trailing slash: empty for the root. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');
