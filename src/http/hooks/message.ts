/** What a request message may be: its method, target, host and body. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, Server } from 'node:http';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preParsingHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { ApiError, malformed } from '../../core/errors.ts';
import { ambiguitiesIn } from '../../core/json.ts';
import { LIMITS } from '../../core/limits.ts';
import { type SignatureScheme, type SignedMessage, verifyMessage } from '../../core/signatures.ts';
import type { Services } from '../../pipeline/context.ts';
import { MERGE_PATCH } from '../../rest/compile/spelling.ts';
import { ILL_FORMED } from '../../rest/handle/coercion.ts';
import type { BodyReader, HttpParts, OpenContext } from '../parts.ts';

/** The methods that the server implements, besides OPTIONS. A path returns 405 for those that it lacks, and 501 for all others. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Whether a method is safe (RFC 9110, section 9.2.1), so that it only reads. OPTIONS, which is safe too, has routes of its own. */
export const isSafeMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Returns the path in the target of a request, without its query. */
export function pathIn(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/**
 * Returns the query parameters of a request. Fastify's parser leaves a value that is not percent-encoded UTF-8 as it is: a search for it
 * would be one for another text, so it is replaced by {@link ILL_FORMED}.
 */
export function queryOf({ url, query }: FastifyRequest): Readonly<Record<string, unknown>> {
  // Strings, or lists of strings, by name.
  const given = query as Readonly<Record<string, unknown>>;
  const text = url.slice(pathIn(url).length + 1);
  if (isPercentEncoded(text)) return given;
  const illFormed = text.split('&').filter((pair) => !isPercentEncoded(pair));
  const names = illFormed.map((pair) => pair.replace(/=.*/s, '').replaceAll('+', ' '));
  // A name that is ill-formed itself is unknown.
  const known = names.filter(isPercentEncoded).map(decodeURIComponent);
  return { ...given, ...Object.fromEntries(known.map((name) => [name, ILL_FORMED])) };
}

function isPercentEncoded(text: string): boolean {
  try {
    if (text.includes('%')) decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const IMPLEMENTED: ReadonlySet<string> = new Set([...METHODS, 'OPTIONS']);

/** A host with or without a port (RFC 9110, section 7.2; RFC 3986, section 3.2.2). It may be empty. */
const HOST = /^(\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d*)?$/i;

/** The only expectation that HTTP defines. Node's parser fulfils it. A list may have empty members (RFC 9110, section 5.6.1). */
const EXPECTATIONS: ReadonlySet<string> = new Set(['100-continue', '']);

const isKnown = (expectations: string): boolean =>
  expectations.split(',').every((expectation) => EXPECTATIONS.has(expectation.trim().toLowerCase()));

/**
 * Refuses messages that Node's parser admits but HTTP/1.1 forbids (RFC 9112): without a Host or with several, in another version
 * of HTTP, with an unknown expectation, with a transfer coding other than `chunked`, or with the target `*` for another method than
 * OPTIONS; and methods that no path has (RFC 9110, section 9.1). What follows such a message on the connection is unreliable, so the
 * connection is closed.
 */
export const refuseInvalidMessage: onRequestHookHandler = (request, reply, done) => {
  const error = problemWith(request.raw);
  if (!error) return done();
  reply.header('connection', 'close');
  done(error);
};

/** Passes requests with an unknown expectation on. Node would refuse them with a response of its own. */
export function passExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Returns why a message is refused, or undefined. */
export function problemWith({
  headers,
  method = '',
  url,
  httpVersion,
  httpVersionMajor,
}: IncomingMessage): ApiError | undefined {
  const { host, 'transfer-encoding': coding, expect } = headers;
  if (!IMPLEMENTED.has(method))
    return new ApiError('not_implemented', { message: `This server does not implement ${method}.` });
  if (httpVersionMajor !== 1) return new ApiError('http_version_not_supported');
  if (url === '*' && method !== 'OPTIONS') return malformed('Only OPTIONS has the target *.');
  if (host === undefined && httpVersion !== '1.0') return malformed('The request has no Host header.');
  // Several headers are joined by a comma and a space, which no host contains.
  if (host !== undefined && !HOST.test(host))
    return malformed('Send one Host header, with a host and optionally a port.');
  // In HTTP/1.0 an expectation is ignored (RFC 9110, section 10.1.1).
  if (expect !== undefined && httpVersion !== '1.0' && !isKnown(expect)) {
    return new ApiError('expectation_failed');
  }
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding.');
  if (coding.toLowerCase() === 'chunked') return undefined;
  return new ApiError('not_implemented', {
    message: 'Send the body without a transfer coding, or only with chunked.',
  });
}

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
