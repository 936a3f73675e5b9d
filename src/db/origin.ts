/** Where changes come from. The audit log shows it, and nothing else does. */

/**
 * What a caller showed to be let in: an access token of a session, an API key, a client certificate, an access token of an app, or the cookie of a browser that
 * has signed in at the authorization server. An operator runs commands beside the server.
 */
export const CREDENTIAL_KINDS = ['session', 'api_key', 'certificate', 'app', 'browser', 'operator'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export interface Origin {
  /** The IP address of the request; null where there was none, or none is known. */
  readonly address: string | null;
  /** Null for what the server does by itself, and for callers without credentials. */
  readonly credentials: CredentialKind | null;
  /** Of the session, the key, the certificate, or the grant of the app; null where there is no such thing, or it is not known. */
  readonly credentialsId: number | null;
  /** The organisation of the caller; null without credentials. It is not stored. */
  readonly callerOrg: string | null;
}

/** Of what has no request behind it. */
export const NO_ORIGIN: Origin = { address: null, credentials: null, credentialsId: null, callerOrg: null };

/** What the log of an organisation may know of an origin: nothing of callers of another organisation. */
export const originFor = (org: string, origin: Origin = NO_ORIGIN): Origin =>
  origin.callerOrg === null || origin.callerOrg === org ? origin : NO_ORIGIN;

/** What has an origin: a request. It is asked when something is written, and not before. */
export interface Originator {
  readonly origin: Origin;
}
