import type { preParsingHookHandler } from 'fastify';
import { ApiError } from '../../core/errors.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/**
 * Refuses compressed bodies, which could be small on the wire and large in memory, and charsets other than
 * UTF-8, which JSON requires (RFC 8259, section 8.1): a proxy could interpret their bytes differently.
 */
export const refuseEncodedBody: preParsingHookHandler = (request, reply, payload, done) => {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    // The codings that are accepted (RFC 9110, section 15.5.16).
    reply.header('accept-encoding', 'identity');
    const message = 'Send the body without a Content-Encoding.';
    return done(new ApiError('unsupported_media_type', { message }));
  }
  const charset = CHARSET.exec(type ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    return done(new ApiError('unsupported_media_type', { message: 'Send the body encoded as UTF-8.' }));
  }
  done(null, payload);
};
