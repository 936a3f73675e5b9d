/** Parses the Authorization header. It does not verify the credentials. */
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { parseApiKey } from './api-keys.ts';

/** Credentials as the client sent them, not yet verified. */
export type Credentials =
  | { readonly scheme: 'bearer' | 'dpop'; readonly token: string }
  | { readonly scheme: 'api_key'; readonly key: string };

/** A scheme, spaces, and the `token68` of RFC 9110, section 11.2: no quotes, no commas, no second value. */
const SHAPE = /^([A-Za-z]+) +([A-Za-z0-9._~+/-]+=*)$/;

/**
 * Returns the credentials in an Authorization header, or null if there is no header.
 *
 * The name of the scheme is case-insensitive (RFC 9110, section 11.1).
 *
 * @throws ApiError `invalid_token` for a header that is too long, malformed, or has another scheme. An invalid header never
 *   counts as absent, since its sender expects to be authenticated.
 */
export function parseAuthorization(header: string | undefined): Credentials | null {
  if (header === undefined) return null;
  if (header.length > LIMITS.authorizationLength) {
    throw new ApiError('invalid_token', {
      message: `The Authorization header is longer than ${LIMITS.authorizationLength} characters.`,
    });
  }
  const [, name, value = ''] = SHAPE.exec(header) ?? [];
  const scheme = name?.toLowerCase();
  if (scheme === 'apikey') return { scheme: 'api_key', key: value };
  if (parseApiKey(value)) {
    throw new ApiError('invalid_token', {
      message: 'This is an API key, not an access token. Send it as "Authorization: ApiKey <key>".',
    });
  }
  if (scheme === 'bearer' || scheme === 'dpop') return { scheme, token: value };
  throw new ApiError('invalid_token', {
    message:
      'The Authorization header must be "Bearer <access token>", "DPoP <access token>" or "ApiKey <key>".',
  });
}
