/** What the body of a request may be, when it is paid for, and how it is read. */
import { isUtf8 } from 'node:buffer';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { ambiguitiesIn } from '../../core/json.ts';
import { LIMITS } from '../../core/limits.ts';
import { type SignatureScheme, type SignedMessage, verifyMessage } from '../../core/signatures.ts';
import type { Services } from '../../pipeline/context.ts';
import { MERGE_PATCH } from '../../rest/compile/spelling.ts';
import type { BodyReader, HttpParts, OpenContext } from '../parts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route verifies a signature over the bytes of its body before it parses them. */
    readonly isSigned?: boolean;
  }
  interface FastifyRequest {
    /** The verified message, on routes for signed messages; null before verification. */
    message: SignedMessage | null;
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** The name of UTF-8, also as many clients write it. */
const UTF_8 = /^utf-?8$/i;

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
  if (charset !== undefined && !UTF_8.test(charset)) {
    return done(new ApiError('unsupported_media_type', { message: 'Send the body encoded as UTF-8.' }));
  }
  done(null, payload);
};

/** Accepts only JSON bodies, which remain bytes until their hook parses them. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', MERGE_PATCH],
    { parseAs: 'buffer' },
    (request, body, done) => {
      const isPatch = request.mediaType === MERGE_PATCH;
      if (isPatch && request.method !== 'PATCH') return done(new ApiError('unsupported_media_type'));
      // Many clients send a content type with an empty DELETE.
      done(null, body.length === 0 ? undefined : body);
    },
  );
}

/**
 * Parses a body after its caller has paid for its length: a caller without points is refused before,
 * and a request that is refused for its body has been paid for.
 */
export function readJsonBody(read: BodyReader): preValidationHookHandler {
  return (request, reply, done) => {
    const { body } = request;
    if (Buffer.isBuffer(body) && !request.routeOptions.config.isSigned) read(reply, body, done);
    else done();
  };
}

/** Returns the id of a message with a valid, recent signature over its raw bytes; undefined otherwise. */
type Verify = (request: FastifyRequest, body: Buffer, services: Services) => string | undefined;

const VERIFY: Readonly<Record<SignatureScheme, Verify>> = {
  STANDARD_WEBHOOKS: ({ headers }, body, { payments, clock }) =>
    verifyMessage(payments.paymentEventsSecrets, headers, body, clock()) === 'genuine'
      ? // A genuine message has exactly one id.
        String(headers['webhook-id'])
      : undefined,
  STRIPE: ({ headers }, body, { payments, clock }) => {
    const signature = headers['stripe-signature'];
    return typeof signature === 'string' ? payments.verifyStripeEvent?.(body, signature, clock()) : undefined;
  },
};

/** Parses the body of a signed message after verifying the signature over its raw bytes. The route refuses messages without a body. */
export function readSignedBody(scheme: SignatureScheme, parts: HttpParts): preValidationHookHandler {
  return (request, reply, done) => {
    const { body } = request;
    if (!Buffer.isBuffer(body)) return done();
    const id = VERIFY[scheme](request, body, parts.services);
    if (id === undefined) {
      const refusal = new ApiError('invalid_signature');
      return void pay(parts.openContext, reply, Math.max(1, readingCost(body))).then(
        () => done(refusal),
        done,
      );
    }
    // For the resolver, which identifies the message by it.
    request.message = { id, scheme };
    parts.readBody(reply, body, done);
  };
}

const readingCost = ({ length }: { readonly length: number }): number =>
  Math.floor(length / LIMITS.bodyCharactersPerPoint);

async function pay(openContext: OpenContext, reply: FastifyReply, points: number): Promise<void> {
  const { requestCost } = await openContext(reply);
  await requestCost.pay(points);
}

export function createBodyReader(app: FastifyInstance, openContext: OpenContext): BodyReader {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  return (reply, bytes, done) => {
    const text = bytes.toString();
    const cost = readingCost(text);
    const end = (refusal: Error | null) => {
      if (!refusal) done();
      else if (cost > 0) done(refusal);
      // A short body has cost nothing so far.
      else pay(openContext, reply, 1).then(() => done(refusal), done);
    };
    const read = () => {
      if (!isUtf8(bytes)) return end(encodingError(bytes, text));
      parseJson(reply.request, text, (error, value) => {
        reply.request.body = value;
        end(error ?? ambiguityOf(text));
      });
    };
    if (cost === 0) read();
    else pay(openContext, reply, cost).then(read, done);
  };
}

/**
 * Returns the error of a body that is not UTF-8, which JSON must be (RFC 8259, section 8.1). A decoder would replace invalid bytes
 * by U+FFFD: it would be stored, and several passwords would become the same one.
 */
function encodingError(bytes: Buffer, text: string): ApiError {
  const at = invalidByte(bytes, text);
  return new ApiError('invalid_json', { message: `The request body is not valid UTF-8 at byte ${at}.` });
}

/** Returns the position, from 0, of the first byte that the decoded text replaces. */
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

/** Returns the error of an ambiguous body: valid JSON that parsers interpret differently. */
function ambiguityOf(body: string): ApiError | null {
  const { repeated, inexact } = ambiguitiesIn(body);
  if (repeated.length > 0) {
    return new ApiError('invalid_json', { message: 'Duplicate member in request body.', details: repeated });
  }
  return inexact.length > 0 ? new ApiError('validation_failed', { details: inexact }) : null;
}
