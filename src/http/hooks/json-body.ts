import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { ambiguitiesIn } from '../../core/json-text.ts';
import { LIMITS } from '../../core/limits.ts';
import { type SignatureScheme, type SignedMessage, verifyMessage } from '../../core/signatures.ts';
import type { Services } from '../../pipeline/context.ts';
import type { OpenContext } from './request-context.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route verifies a signature over the bytes of its body, and reads the body after that. */
    readonly isSigned?: boolean;
  }
  interface FastifyRequest {
    /** The signed message that the request is, on routes for such; null until its signature was verified. */
    message: SignedMessage | null;
  }
}

/** JSON is the only body there is. It stays in bytes, as it came, until its hook has read it. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    // An empty body is none: many clients name a content type on a DELETE.
    done(null, body.length === 0 ? undefined : body),
  );
}

/**
 * Reads a body after it has arrived and its caller has paid for that, by its length: a caller without points is refused before,
 * and what is refused for its body has been paid for.
 */
export function readJsonBody(read: BodyReader): preValidationHookHandler {
  return (request, reply, done) => {
    const { body } = request;
    if (Buffer.isBuffer(body) && !request.routeOptions.config.isSigned) read(request, reply, body, done);
    else done();
  };
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
 * The same for a route whose messages must be signed: the signature is over the bytes, so they are verified before they are parsed.
 * The route itself refuses a message without a body, which cannot have been signed.
 */
export function readSignedBody(
  scheme: SignatureScheme,
  services: Verifiers,
  openContext: OpenContext,
  read: BodyReader,
): preValidationHookHandler {
  return (request, reply, done) => {
    const { body } = request;
    if (!Buffer.isBuffer(body)) return done();
    const id = VERIFY[scheme](request, body, services);
    if (id === undefined) {
      const refusal = new ApiError('invalid_signature');
      return void pay(openContext, request, reply, Math.max(1, readingCost(body))).then(
        () => done(refusal),
        done,
      );
    }
    // Its resolver knows the message by that.
    request.message = { id, scheme };
    read(request, reply, body, done);
  };
}

/** Points that reading a body costs beside what is asked for. */
const readingCost = ({ length }: { readonly length: number }): number =>
  Math.floor(length / LIMITS.bodyCharactersPerPoint);

async function pay(
  openContext: OpenContext,
  request: FastifyRequest,
  reply: FastifyReply,
  points: number,
): Promise<void> {
  const { requestCost } = await openContext(request, reply);
  await requestCost.pay(points);
}

/** Has its caller pay for the bytes of a body, and puts the value in its place. */
export type BodyReader = (
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  done: (error?: Error) => void,
) => void;

export function createBodyReader(app: FastifyInstance, openContext: OpenContext): BodyReader {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  return (request, reply, bytes, done) => {
    const text = bytes.toString();
    const cost = readingCost(text);
    const end = (refusal: Error | null) => {
      if (!refusal) done();
      else if (cost > 0) done(refusal);
      // A short one has cost nothing so far.
      else pay(openContext, request, reply, 1).then(() => done(refusal), done);
    };
    const read = () => {
      if (!isUtf8(bytes)) return end(encodingError(bytes, text));
      parseJson(request, text, (error, value) => {
        request.body = value;
        end(error ?? ambiguityOf(text));
      });
    };
    if (cost === 0) read();
    else pay(openContext, request, reply, cost).then(read, done);
  };
}

/**
 * JSON is UTF-8 (RFC 8259, section 8.1). A decoder puts U+FFFD in place of what is none, which would be kept, and would make one
 * password of several.
 */
function encodingError(bytes: Buffer, text: string): ApiError {
  const at = invalidByte(bytes, text);
  return new ApiError('invalid_json', { message: `The request body is not valid UTF-8 at byte ${at}.` });
}

/** The position of the first byte, from 0, that the decoded text replaces. */
function invalidByte(bytes: Buffer, text: string): number {
  const replacement = Buffer.from('\uFFFD');
  let at = 0;
  for (let from = 0; ; ) {
    const next = text.indexOf('\uFFFD', from);
    at += Buffer.byteLength(text.slice(from, next));
    // A client may send the character itself.
    if (!bytes.subarray(at, at + replacement.length).equals(replacement)) return at;
    at += replacement.length;
    from = next + 1;
  }
}

/** Why a body that is valid JSON is refused all the same: it could be understood in two ways. */
function ambiguityOf(body: string): ApiError | null {
  const { repeated, inexact } = ambiguitiesIn(body);
  if (repeated.length > 0) {
    return new ApiError('invalid_json', { message: 'Duplicate member in request body.', details: repeated });
  }
  return inexact.length > 0 ? new ApiError('validation_failed', { details: inexact }) : null;
}
