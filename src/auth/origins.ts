import { LIMITS } from '../core/limits.ts';
import { type CredentialKind, NO_ORIGIN, type Origin } from '../db/origin.ts';
import { machineCredentialOf } from './machine-credentials.ts';
import type { Principal } from './policy.ts';

/**
 * Returns the origin of a caller's changes for the audit log.
 *
 * @param principal null for an anonymous caller.
 * @param address the client address of the request; null if there is none.
 */
export function originOf(principal: Principal | null, address: string | null): Origin {
  // An operator works on the server's machine.
  if (principal?.kind === 'operator') return OPERATOR_ORIGIN;
  return {
    // A proxy may report a text of any length.
    address: address?.slice(0, LIMITS.clientAddressLength) ?? null,
    credentials: principal && kindOf(principal),
    credentialsId: principal && idOf(principal),
    callerOrg: principal?.org ?? null,
  };
}

/** The origin of an operator's changes. An operator may work in every organisation. */
export const OPERATOR_ORIGIN: Origin = { ...NO_ORIGIN, credentials: 'operator' };

/** An origin without the caller's credentials, for actions authorised by something else, such as a mailed link. */
export const withoutCredentials = (origin: Origin | undefined): Origin => ({
  ...NO_ORIGIN,
  address: origin?.address ?? null,
});

/** The prefix of `tokenId` for a browser that has signed in at the authorization server: it has a cookie, not an access token. */
export const BROWSER_TOKEN = 'browser:';

function kindOf({ kind, tokenId }: Principal): CredentialKind {
  if (kind === 'user') return tokenId.startsWith(BROWSER_TOKEN) ? 'browser' : 'session';
  return kind;
}

/**
 * Returns the credentials under which a caller's use is counted: all sessions of a person are counted together, with the id 0.
 * Undefined for an operator, who belongs to no organisation.
 */
export function countedCredentialsOf(
  principal: Principal,
): { readonly credentials: CredentialKind; readonly credentialsId: number } | undefined {
  const credentials = kindOf(principal);
  if (credentials === 'operator') return undefined;
  return { credentials, credentialsId: credentials === 'session' ? 0 : (idOf(principal) ?? 0) };
}

const idOf = (principal: Principal): number | null =>
  machineCredentialOf(principal) ?? principal.grant?.id ?? principal.sessionId ?? null;
