import type { AdapterPayload } from 'oidc-provider';
import type { StoredToken } from '../../auth/apps/opaque-tokens.ts';
import { isIdentity } from '../../auth/claims.ts';
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
      scope: ofPerson ? (scope ?? '') : ownScope(payload),
      role: ROLES.find((role) => role === extra?.['role']),
      expiresAt: row.expiresAt,
      confirmation: confirmationOf(payload),
    };
  };
}

/**
 * The scope with which an app's own token was issued. Records of earlier versions contain only the requested scope: undefined for all
 * scopes of the app, and with scopes of OpenID Connect, although the token identifies no person.
 */
function ownScope({ scope, extra }: AdapterPayload): string | undefined {
  const issued = extra?.['scope'];
  if (typeof issued === 'string') return issued;
  return scope
    ?.split(' ')
    .filter((each) => !isIdentity(each))
    .join(' ');
}

function confirmationOf({ jkt, 'x5t#S256': x5t }: AdapterPayload): StoredToken['confirmation'] {
  if (jkt === undefined && x5t === undefined) return undefined;
  return { ...(jkt !== undefined && { jkt }), ...(x5t !== undefined && { x5t }) };
}
