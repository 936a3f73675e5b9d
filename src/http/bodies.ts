import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { ambiguitiesIn } from '../json-text.ts';

/** JSON is UTF-8 (RFC 8259, section 8.1). Read in another charset, its bytes could mean something else to those before us. */
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/**
 * JSON is the only body there is, in plain: what is packed could be small on the way and large in memory. An empty one is
 * none: many clients name a content type on a DELETE.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body, (error, value) => done(error ?? ambiguityOf(body), value));
  });
  // After a route has said that it does not answer the method, and before anything of the body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-type': type, 'content-encoding': encoding } = request.headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      // RFC 9110, section 15.5.16: what would have been accepted.
      reply.header('accept-encoding', 'identity');
      return done(
        new ApiError('unsupported_media_type', { message: 'Send the body without a Content-Encoding.' }),
      );
    }
    const charset = CHARSET.exec(type ?? '')?.[1];
    if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
      return done(new ApiError('unsupported_media_type', { message: 'JSON is UTF-8: send the body so.' }));
    }
    done(null, payload);
  });
}

/** Why a body that is valid JSON is refused all the same: it could be understood in two ways. */
function ambiguityOf(body: string): ApiError | null {
  const { repeated, inexact } = ambiguitiesIn(body);
  if (repeated.length > 0) {
    return new ApiError('invalid_json', { message: 'The body has a member twice.', details: repeated });
  }
  return inexact.length > 0 ? new ApiError('validation_failed', { details: inexact }) : null;
}
