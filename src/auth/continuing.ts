/** Whether a caller that was let in may go on, for what takes longer than a request. */
import { ApiError } from '../core/errors.ts';
import type { ApiKeys } from './api-keys.ts';
import { isOpaque, type OpaqueTokens } from './apps/opaque-tokens.ts';
import type { PresentedCertificate } from './certificate-matches.ts';
import { credentialLost, demoted } from './changes.ts';
import type { ClientCertificates } from './client-certificates.ts';
import { parseAuthorization } from './credentials.ts';
import { hasRole, type Principal } from './policy.ts';
import type { Presence } from './presence.ts';

export interface ContinuingParts {
  readonly presence: Presence;
  readonly apiKeys: ApiKeys;
  readonly clientCertificates: ClientCertificates;
  readonly opaqueTokens: OpaqueTokens;
}

/**
 * Looks again at what a caller was let in with. The mere end of a signed token ends nothing: it was valid when the request came.
 *
 * @param shown the header, or else the certificate, that the caller was let in with.
 * @throws ApiError `invalid_token` for what was revoked, ended or removed since, `token_expired` for a key past its end,
 *   `insufficient_role` for a person with a lesser role by now, `unavailable` when the database cannot say.
 */
export type MayContinue = (
  principal: Principal,
  shown: {
    readonly authorization: string | undefined;
    readonly certificate: PresentedCertificate | undefined;
  },
  at: Date,
) => void | Promise<void>;

export function createContinuing(parts: ContinuingParts): MayContinue {
  const { presence, apiKeys, clientCertificates, opaqueTokens } = parts;
  return async (principal, { authorization, certificate }, at) => {
    const credentials = parseAuthorization(authorization);
    let now: Principal;
    if (!credentials) {
      if (!certificate) throw new ApiError('unauthenticated');
      now = await clientCertificates.verify(certificate);
      // It may fit another registration by now.
      if (now.tokenId !== principal.tokenId) throw credentialLost(principal);
    } else if (credentials.scheme === 'api_key') now = await apiKeys.verify(credentials.key);
    else {
      if (isOpaque(credentials.token)) await opaqueTokens.verify(credentials.token, at);
      now = await presence.now(principal);
    }
    if (!hasRole(now.role, principal.role)) throw demoted();
  };
}
