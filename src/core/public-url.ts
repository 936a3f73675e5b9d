import { isIPv6 } from 'node:net';

/** The URL for requests with a client certificate, at the port that asks for them; without a trailing slash, undefined without a port. */
export function certifiedUrlOf(publicUrl: string, certifiedPort: number | undefined): string | undefined {
  if (certifiedPort === undefined) return undefined;
  const url = new URL(publicUrl);
  url.port = String(certifiedPort);
  return url.href.replace(/\/$/, '');
}

/**
 * The URLs that the client of a request may use for this server, by the local port of its connection: the public one and, at the port for
 * client certificates, that of `mtls_endpoint_aliases` (RFC 8705, section 5).
 */
export type ServerUrls = (connection: { readonly localPort?: number | undefined }) => readonly string[];

export function createServerUrls(publicUrl: string, certifiedPort: number | undefined): ServerUrls {
  const main = [publicUrl];
  const certifiedUrl = certifiedUrlOf(publicUrl, certifiedPort);
  if (certifiedUrl === undefined) return () => main;
  const both = [publicUrl, certifiedUrl];
  return ({ localPort }) => (localPort === certifiedPort ? both : main);
}

/** The path under which clients reach this server, without a trailing slash: empty for the root. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The address and the port where a server listens, as in a URL. */
export const addressOf = ({ host, port }: Address): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** Describes for the log where a server listens, and beside it where clients reach it. */
export const placeOf = (http: Address & { readonly publicUrl: string }): string =>
  `${addressOf(http)}, public URL ${http.publicUrl}`;
