/** What API keys and client certificates have in common: both are long-lived and act for the person who created them. */
import type { ErrorDetail } from '../core/errors.ts';
import type { Credential } from '../db/queries/standing.ts';
import { problemsWithScopes } from './grants.ts';
import type { Principal } from './policy.ts';

export interface NewCredential {
  readonly name: string;
  readonly scopes: readonly string[];
  /** When the credential expires; null for never. */
  readonly expiresAt: Date | null;
}

const TABLES = { api_key: 'apiKeys', certificate: 'clientCertificates' } as const;

/** The `tokenId` of a key or certificate, which is unique among all credentials. */
export const tokenIdOf = (kind: keyof typeof TABLES, id: number): string => `${kind}:${id}`;

/** The id of a principal's key or certificate; undefined for other credentials. */
export const machineCredentialOf = ({
  kind,
  tokenId,
}: Pick<Principal, 'kind' | 'tokenId'>): number | undefined =>
  kind === 'api_key' || kind === 'certificate' ? Number(tokenId.slice(tokenId.indexOf(':') + 1)) : undefined;

/** The revocable credential of a principal: a key, a certificate or a grant; null for other principals. */
export function credentialOf(principal: Principal): Credential | null {
  const { kind, grant } = principal;
  if (kind === 'api_key' || kind === 'certificate') {
    return { table: TABLES[kind], id: machineCredentialOf(principal) ?? 0 };
  }
  return grant ? { table: 'grants', id: grant.id } : null;
}

/**
 * Returns the problem of each invalid value.
 *
 * @param path the path of the input in the caller's arguments.
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
 * Whether a new credential would be valid for longer than the one that creates it. Otherwise an expiring key could renew itself
 * forever. The rule does not apply to sessions: their person can sign in again.
 */
function outlives(expiresAt: Date | null, caller: Principal): boolean {
  if (machineCredentialOf(caller) === undefined) return false;
  return (expiresAt ? expiresAt.getTime() / 1000 : Number.POSITIVE_INFINITY) > caller.expiresAt;
}
