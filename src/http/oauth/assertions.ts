import { errors } from 'oidc-provider';
import { LIMITS } from '../../core/limits.ts';

/** Seconds by which an app's clock may be ahead. */
const CLOCK_SKEW = LIMITS.proofAge / 1000;

/**
 * Refuses client assertions whose ids would have to be remembered for too long, or are too long (RFC 7523, section 3, items 4 to 7).
 * oidc-provider has verified the signature, the audience, and that the assertion has not expired.
 *
 * @throws InvalidClientAuth
 */
export function requireBoundedAssertion(
  { exp, iat, jti }: Readonly<Record<string, unknown>>,
  now: Date,
): void {
  const seconds = now.getTime() / 1000;
  if (typeof exp !== 'number' || exp > seconds + LIMITS.assertionLifetime / 1000) {
    throw new errors.InvalidClientAuth('the assertion expires too far in the future');
  }
  if (typeof iat === 'number' && iat > seconds + CLOCK_SKEW) {
    throw new errors.InvalidClientAuth('the assertion was issued in the future');
  }
  if (typeof jti !== 'string' || jti.length > LIMITS.proofIdLength) {
    throw new errors.InvalidClientAuth('the id (jti) of the assertion is not a text, or too long');
  }
}
