/** What API keys and client certificates have in common: long-lived credentials of machines, which act for the person who made them. */
import type { ErrorDetail } from '../core/errors.ts';
import type { Credential } from '../db/queries/standing.ts';
import { problemsWithScopes } from './grants.ts';
import type { Principal } from './policy.ts';

export interface NewCredential {
  readonly name: string;
  readonly scopes: readonly string[];
  /** When it is to end; null for never. */
  readonly expiresAt: Date | null;
}

const TABLES = { api_key: 'apiKeys', certificate: 'clientCertificates' } as const;

/** What names a key or certificate among all credentials. */
export const tokenIdOf = (kind: keyof typeof TABLES, id: number): string => `${kind}:${id}`;

/** The id of the key or certificate that a principal holds, undefined for any other principal. */
export const machineCredentialOf = ({
  kind,
  tokenId,
}: Pick<Principal, 'kind' | 'tokenId'>): number | undefined =>
  kind === 'api_key' || kind === 'certificate' ? Number(tokenId.slice(tokenId.indexOf(':') + 1)) : undefined;

/** What a principal acts by that can be revoked: a key, a certificate or a grant. Null for any other principal. */
export function credentialOf(principal: Principal): Credential | null {
  const { kind, grant } = principal;
  if (kind === 'api_key' || kind === 'certificate') {
    return { table: TABLES[kind], id: machineCredentialOf(principal) ?? 0 };
  }
  return grant ? { table: 'grants', id: grant.id } : null;
}

/**
 * Names each value that is not allowed.
 *
 * @param path where the wish stands among the caller's arguments.
 */
export function problemsWithCredential(
  { scopes, expiresAt }: NewCredential,
  caller: Principal,
  now: Date,
  path: string,
): ErrorDetail[] {
  const details = problemsWithScopes(scopes, caller, `${path}.scopes`);
  if (expiresAt && expiresAt <= now) {
    details.push({ path: `${path}.expiresAt`, message: 'must be in the future' });
  }
  if (outlives(expiresAt, caller)) {
    details.push({
      path: `${path}.expiresAt`,
      message: 'must not be later than the end of the credentials that you call with',
    });
  }
  return details;
}

/**
 * Whether credentials with this end would live longer than those that make them. Credentials that end could otherwise renew
 * themselves for ever. A sign-in is not asked: the person behind it can sign in again.
 */
function outlives(expiresAt: Date | null, caller: Principal): boolean {
  if (machineCredentialOf(caller) === undefined) return false;
  return (expiresAt ? expiresAt.getTime() / 1000 : Number.POSITIVE_INFINITY) > caller.expiresAt;
}
