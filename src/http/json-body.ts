import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Services } from '../graphql/context.ts';
import { ambiguitiesIn } from '../json-text.ts';
import { type SignatureScheme, type SignedMessage, verifyMessage } from '../signatures.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed message that the request is, on routes for such; null until its signature was verified. */
    message: SignedMessage | null;
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

type Verifiers = Pick<Services, 'paymentEventsSecrets' | 'verifyStripeEvent' | 'clock'>;

/** Finds the id of a message that was signed in time, over its bytes as they came; undefined for any other. */
type Verify = (request: FastifyRequest, body: Buffer, services: Verifiers) => string | undefined;

const VERIFY: Readonly<Record<SignatureScheme, Verify>> = {
  STANDARD_WEBHOOKS: ({ headers }, body, { paymentEventsSecrets, clock }) =>
    verifyMessage(paymentEventsSecrets, headers, body, clock()) === 'genuine'
      ? // A message that was found genuine has one id.
        String(headers['webhook-id'])
      : undefined,
  STRIPE: ({ headers }, body, { verifyStripeEvent, clock }) => {
    const signature = headers['stripe-signature'];
    return typeof signature === 'string' ? verifyStripeEvent?.(body, signature, clock()) : undefined;
  },
};

/**
 * The same where a message must be signed: the signature is over its bytes, so they are verified before they are parsed. A body that is
 * missing cannot have been signed.
 */
export function acceptSignedJson(app: FastifyInstance, scheme: SignatureScheme, services: Verifiers): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const id = VERIFY[scheme](request, body, services);
    if (id === undefined) return done(new ApiError('invalid_signature'));
    request.message = { id, scheme };
    const text = body.toString();
    return parseJson(request, text, (error, value) => done(error ?? ambiguityOf(text), value));
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
