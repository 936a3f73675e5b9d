import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Services } from '../graphql/context.ts';
import { ambiguitiesIn } from '../json-text.ts';
import { LIMITS } from '../limits.ts';
import { verifyMessage } from '../signatures.ts';
import type { OpenContext } from './request-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed message that the request is, on routes for such; null until its signature was verified. */
    message: { readonly id: string } | null;
  }
}

/**
 * JSON is the only body there is. An empty one is none: many clients name a content type on a DELETE.
 *
 * A body is read after it has arrived and its caller has paid for that, by its length: a caller without points is turned away
 * before, and what is refused for its body has been paid for.
 */
export function acceptJsonOnly(app: FastifyInstance, openContext: OpenContext): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body === '' ? undefined : body),
  );
  const pay = async (request: FastifyRequest, reply: FastifyReply, points: number) => {
    const { spending } = await openContext(request, reply);
    await spending.pay(points);
  };
  app.addHook('preValidation', (request, reply, done) => {
    const { body } = request;
    if (typeof body !== 'string') return done();
    const cost = Math.floor(body.length / LIMITS.bodyCharactersPerPoint);
    const read = () =>
      parseJson(request, body, (error, value) => {
        const refusal = error ?? ambiguityOf(body);
        request.body = value;
        if (!refusal || cost > 0) return done(refusal ?? undefined);
        // A short one has cost nothing so far.
        pay(request, reply, 1).then(() => done(refusal), done);
      });
    if (cost === 0) return void read();
    pay(request, reply, cost).then(read, done);
  });
}

/** The same where a message must be signed: its bytes are what was signed, so they are looked at before anything reads them. */
export function acceptSignedJson(
  app: FastifyInstance,
  { paymentEventsSecrets, clock }: Pick<Services, 'paymentEventsSecrets' | 'clock'>,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const verdict = verifyMessage(paymentEventsSecrets, request.headers, body, clock());
    if (verdict !== 'genuine') return done(new ApiError('invalid_signature'));
    request.message = { id: messageIdOf(request) };
    return done(null, body.toString());
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
