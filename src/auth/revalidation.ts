/** Verifies the credentials of an admitted caller again, for operations that run longer than a request. */
import { ApiError } from '../core/errors.ts';
import type { ApiKeys } from './api-keys.ts';
import { isOpaque, type OpaqueTokens } from './apps/opaque-tokens.ts';
import type { PresentedCertificate } from './certificate-matches.ts';
import { credentialLost, roleReduced, scopesReduced } from './changes.ts';
import type { ClientCertificates } from './client-certificates.ts';
import { parseAuthorization } from './credentials.ts';
import { hasRole, type Principal } from './policy.ts';
import type { Presence } from './presence.ts';

interface RevalidationParts {
  readonly presence: Presence;
  readonly apiKeys: ApiKeys;
  readonly clientCertificates: ClientCertificates;
  readonly opaqueTokens: OpaqueTokens;
}

/**
 * Verifies again the credentials that a caller was admitted with. A signed access token that has merely expired is still accepted:
 * it was valid when the request arrived.
 *
 * @param shown the header, or else the certificate, that the caller was admitted with.
 * @throws ApiError `invalid_token` for credentials that were revoked since, whose session or grant has ended, or whose person was
 *   removed, `token_expired` for an expired key, `insufficient_role` for a person whose role was reduced, `unavailable` when the
 *   database cannot be read.
 */
export type RequireStillValid = (
  principal: Principal,
  shown: {
    readonly authorization: string | undefined;
    readonly certificate: PresentedCertificate | undefined;
  },
  at: Date,
) => Promise<void>;

export function createRevalidation(parts: RevalidationParts): RequireStillValid {
  const { presence, apiKeys, clientCertificates, opaqueTokens } = parts;
  return async (principal, { authorization, certificate }, at) => {
    const credentials = parseAuthorization(authorization);
    let now: Principal;
    if (!credentials) {
      if (!certificate) throw new ApiError('unauthenticated');
      now = await clientCertificates.verify(certificate);
      // The certificate may match another registration by now.
      if (now.credential?.id !== principal.credential?.id) throw credentialLost(principal);
    } else if (credentials.scheme === 'api_key') now = await apiKeys.verify(credentials.key);
    else {
      if (isOpaque(credentials.token)) await opaqueTokens.verify(credentials.token, at);
      now = await presence.now(principal);
    }
    if (!hasRole(now.role, principal.role)) throw roleReduced();
    if (!principal.scopes.isSubsetOf(now.scopes)) throw scopesReduced();
  };
}
