/** Which API key, client certificate or grant a principal calls with. */
import type { Credential } from '../db/queries/standing.ts';
import type { Principal } from './policy.ts';

const TABLES = { api_key: 'apiKeys', certificate: 'clientCertificates' } as const;

export type MachineCredentialKind = keyof typeof TABLES;

/** The `tokenId` of a key or certificate, which is unique among all credentials. */
export const tokenIdOf = (kind: MachineCredentialKind, id: number): string => `${kind}:${id}`;

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

/** The caller as it appears in the server's log: its id, never its credentials. */
export const namedCaller = (principal: Principal) => ({
  kind: principal.kind,
  /** The id of the API key or certificate, otherwise of the person. */
  id: machineCredentialOf(principal) ?? principal.userId,
  org: principal.org,
  /** The client id of the app that acts for the person. */
  ...(principal.grant && { client: principal.grant.clientId }),
});
