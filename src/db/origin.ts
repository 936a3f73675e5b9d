/** The origin of changes. Only the audit log shows it. */

/**
 * How a caller was authenticated: by an access token of a session, an API key, a client certificate, an access token of an app, or the
 * cookie of a browser that has signed in at the authorization server. An operator runs commands on the machine of the server.
 */
export const CREDENTIAL_KINDS = ['session', 'api_key', 'certificate', 'app', 'browser', 'operator'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export interface Origin {
  /** The IP address of the request; null without a request, or if the address is unknown. */
  readonly address: string | null;
  /** Null for work of the server itself, and for callers without credentials. */
  readonly credentials: CredentialKind | null;
  /** The id of the session, API key or certificate, or of the app's grant; null if there is none, or it is unknown. */
  readonly credentialsId: number | null;
  /** The organisation of the caller; null without credentials. It is not stored. */
  readonly callerOrg: string | null;
}

/** The stored members of an {@link Origin}. */
export const ORIGIN_COLUMNS = ['address', 'credentials', 'credentialsId'] as const;

/** The origin of work that no request caused. */
export const NO_ORIGIN: Origin = { address: null, credentials: null, credentialsId: null, callerOrg: null };

/** The origin that the log of an organisation may contain: nothing about callers of another organisation. */
export const originFor = (org: string, origin: Origin = NO_ORIGIN): Origin =>
  origin.callerOrg === null || origin.callerOrg === org ? origin : NO_ORIGIN;

/** A source of an origin, such as a request. The origin is read when a transaction begins, not before. */
export interface Originator {
  readonly origin: Origin;
}
