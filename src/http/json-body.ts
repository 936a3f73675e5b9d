import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Services } from '../graphql/context.ts';
import { ambiguitiesIn } from '../json-text.ts';
import { verifyMessage } from '../signatures.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed message that the request is, on routes for such; null until its signature was verified. */
    message: { readonly id: string } | null;
  }
}

/** JSON is the only body there is. An empty one is none: many clients name a content type on a DELETE. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body, (error, value) => done(error ?? ambiguityOf(body), value));
  });
}

/**
 * The same where a message must be signed: its bytes are what was signed, so they are looked at before anybody reads them.
 * A body that is missing cannot have been signed.
 */
export function acceptSignedJson(
  app: FastifyInstance,
  { paymentEventsSecrets, clock }: Pick<Services, 'paymentEventsSecrets' | 'clock'>,
): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const verdict = verifyMessage(paymentEventsSecrets, request.headers, body, clock());
    if (verdict !== 'genuine') return done(new ApiError('invalid_signature'));
    request.message = { id: messageIdOf(request) };
    const text = body.toString();
    return parseJson(request, text, (error, value) => done(error ?? ambiguityOf(text), value));
  });
}

/** A message that was found genuine has one id. */
const messageIdOf = ({ headers }: FastifyRequest): string => String(headers['webhook-id']);

/** Why a body that is valid JSON is refused all the same: it could be understood in two ways. */
function ambiguityOf(body: string): ApiError | null {
  const { repeated, inexact } = ambiguitiesIn(body);
  if (repeated.length > 0) {
    return new ApiError('invalid_json', { message: 'The body has a member twice.', details: repeated });
  }
  return inexact.length > 0 ? new ApiError('validation_failed', { details: inexact }) : null;
}
