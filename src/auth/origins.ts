import { LIMITS } from '../core/limits.ts';
import { type CredentialKind, NO_ORIGIN, type Origin } from '../db/origin.ts';
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

const kindOf = ({ kind }: Principal): CredentialKind => (kind === 'user' ? 'session' : kind);

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

const idOf = ({ credential, sessionId }: Principal): number | null => credential?.id ?? sessionId ?? null;
