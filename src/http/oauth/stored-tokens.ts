import type { AdapterPayload } from 'oidc-provider';
import type { StoredToken } from '../../auth/apps/opaque-tokens.ts';
import { isIdentity } from '../../auth/claims.ts';
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
      // Without a scope an app's own token has all its scopes, and a person's token has none.
      scope: ofPerson ? (scope ?? '') : withoutIdentity(scope),
      expiresAt: row.expiresAt,
      confirmation: confirmationOf(payload),
    };
  };
}

/** An app's own token identifies no person. */
const withoutIdentity = (scope: string | undefined): string | undefined =>
  scope
    ?.split(' ')
    .filter((each) => !isIdentity(each))
    .join(' ');

function confirmationOf({ jkt, 'x5t#S256': x5t }: AdapterPayload): StoredToken['confirmation'] {
  if (jkt === undefined && x5t === undefined) return undefined;
  return { ...(jkt !== undefined && { jkt }), ...(x5t !== undefined && { x5t }) };
}
