import { createHmac } from 'node:crypto';
import { Provider } from 'oidc-provider';
import type { Keys } from '../../auth/keys.ts';
import { hashSecret } from '../../auth/random-secrets.ts';

/** The purpose for which the secrets are derived from the keys. */
const PURPOSE = 'portico app refresh token successor 1';

/** Derives each refresh token from the previous one, so that a client whose response was lost gets the same token again. */
export function succeedRefreshTokens(provider: Provider, keys: Keys): void {
  // The types of oidc-provider lack the method that generates a token.
  const model = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  const generate = model.generateTokenId;
  model.generateTokenId = function next() {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated ? successorOf(rotated.jti, keys) : generate.call(this);
  };
}

/** Returns the successor of a refresh token. */
export function successorOf(refreshToken: string, keys: Keys): string {
  const [secret] = keys.secrets(PURPOSE);
  return createHmac('sha256', secret).update(hashSecret(refreshToken)).digest('base64url');
}
