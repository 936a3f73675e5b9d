import { LIMITS } from '../core/limits.ts';
import { type CredentialKind, NO_ORIGIN, type Origin } from '../db/origin.ts';
import { machineCredentialOf } from './machine-credentials.ts';
import type { Principal } from './policy.ts';

/**
 * Where a caller's changes come from, as the audit log shows it.
 *
 * @param principal null for an anonymous caller.
 * @param address of the request; null where there is none.
 */
export function originOf(principal: Principal | null, address: string | null): Origin {
  // An operator sits at the server.
  if (principal?.kind === 'operator') return OPERATOR_ORIGIN;
  return {
    // A proxy may report whatever it likes.
    address: address?.slice(0, LIMITS.clientAddressLength) ?? null,
    credentials: principal && kindOf(principal),
    credentialsId: principal && idOf(principal),
    callerOrg: principal?.org ?? null,
  };
}

/** Of an operator, who may work in every organisation. */
export const OPERATOR_ORIGIN: Origin = { ...NO_ORIGIN, credentials: 'operator' };

/** The same without the caller's credentials: for what is done by showing something else, such as a link that was sent. */
export const addressOf = (origin: Origin | undefined): Origin => ({
  ...NO_ORIGIN,
  address: origin?.address ?? null,
});

/** What a browser holds that has signed in at the authorization server: a cookie, and no access token. */
export const BROWSER_TOKEN = 'browser:';

function kindOf({ kind, tokenId }: Principal): CredentialKind {
  if (kind === 'user') return tokenId.startsWith(BROWSER_TOKEN) ? 'browser' : 'session';
  return kind;
}

/**
 * The credentials of a caller as counts of what callers do have them: the sessions of a person are one, with the id 0. Undefined for an
 * operator, who is of no organisation.
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
