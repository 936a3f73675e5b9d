import type { AdapterPayload } from 'oidc-provider';
import type { StoredToken } from '../../auth/apps/opaque-tokens.ts';
import { ROLES } from '../../core/roles.ts';
import { OAuthRecords, type RecordParts } from './records.ts';

/** Returns a function that finds an opaque token in the authorization server's records: of a person's grant, or of an app's own. */
export function createTokenFinder(parts: RecordParts): (token: string) => Promise<StoredToken | undefined> {
  const accessTokens = new OAuthRecords('AccessToken', parts);
  const ownTokens = new OAuthRecords('ClientCredentials', parts);
  return async (token) => {
    const ofPerson = await accessTokens.find(token);
    const found = ofPerson ?? (await ownTokens.find(token));
    if (!found) return undefined;
    const { payload, row } = found;
    const { scope, extra } = payload;
    return {
      grantId: Number(extra?.['gid']),
      // The records of an app's own tokens have only the requested scope; `extra` has the one that was issued.
      scope: String((ofPerson ? scope : extra?.['scope']) ?? ''),
      role: ROLES.find((role) => role === extra?.['role']) ?? 'viewer',
      expiresAt: row.expiresAt,
      confirmation: confirmationOf(payload),
    };
  };
}

function confirmationOf({ jkt, 'x5t#S256': x5t }: AdapterPayload): StoredToken['confirmation'] {
  if (jkt === undefined && x5t === undefined) return undefined;
  return { ...(jkt !== undefined && { jkt }), ...(x5t !== undefined && { x5t }) };
}
