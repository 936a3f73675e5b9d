/**
 * Compresses responses for clients that accept it (RFC 9110, section 12.5.3).
 *
 * It runs in zlib's threads, never in the event loop, with a fast quality of Brotli, and only a few at once. Further responses
 * are sent uncompressed, so that no caller takes all threads, which also hash passwords. For clients that do not accept it the
 * cost is a check of one header.
 *
 * Responses with `no-store` are not compressed: the length of a secret compressed together with a client's input could reveal it
 * (BREACH). In other responses a page of another site controls no input, since browsers add no credentials to its requests.
 * Streams of events are not compressed. Exports are compressed as they are written, beside these few responses: their number is limited too,
 * and each uses a thread only for the rows of a page, but can last for minutes, at the pace of its client.
 */
import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { LIMITS } from '../../core/limits.ts';
import { CODINGS, type Coding, encodedTag } from '../../rest/handle/conditions.ts';

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Takes a tenth of a second for the largest response; the best quality would take 50 times as long for a sixth less output. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

const compress = (coding: Coding, bytes: Buffer): Promise<Buffer> =>
  coding === 'br'
    ? compressors.br(bytes, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    : compressors.gzip(bytes);

const TEXT = /^(text\/|image\/svg|application\/([\w-]+\+)?(json|javascript|xml)\b)/;

/** Compressed responses that never change: pages, their files and the OpenAPI document. */
const unchanging = new LRUCache<string, Buffer>({
  maxSize: LIMITS.compressedCacheBytes,
  sizeCalculation: ({ length }) => length,
});

let running = 0;

/** Bytes of a payload, or characters of a text. */
export const lengthOf = (reply: FastifyReply, payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload)
    ? payload.length
    : payload instanceof Readable
      ? Number(reply.getHeader('content-length') ?? 0)
      : 0;

function isCompressible(reply: FastifyReply, payload: unknown): boolean {
  const length = lengthOf(reply, payload);
  if (length < LIMITS.compressedFrom || length > LIMITS.compressedUpTo) return false;
  if (reply.hasHeader('content-encoding') || !TEXT.test(String(reply.getHeader('content-type'))))
    return false;
  return !String(reply.getHeader('cache-control')).includes('no-store');
}

async function compressed(
  reply: FastifyReply,
  payload: string | Buffer | Readable,
  coding: Coding,
): Promise<Buffer> {
  const etag = reply.getHeader('etag');
  const isUnchanging = String(reply.getHeader('cache-control')).startsWith('public') && etag !== undefined;
  const key = isUnchanging ? `${coding} ${etag} ${reply.request.url}` : undefined;
  const known = key === undefined ? undefined : unchanging.get(key);
  if (known) {
    if (payload instanceof Readable) payload.destroy();
    return known;
  }
  running += 1;
  try {
    const bytes = payload instanceof Readable ? await buffer(payload) : Buffer.from(payload);
    const result = await compress(coding, bytes);
    if (key !== undefined) unchanging.set(key, result);
    return result;
  } finally {
    running -= 1;
  }
}

/** Returns the coding that a client prefers, Brotli if it has no preference; undefined for none. */
function codingFor(accept: string): Coding | undefined {
  const { encodings } = Negotiator.prototype;
  // The types of the library lack the second parameter.
  const preferred = encodings as (available: readonly string[], options: object) => string[];
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accept } });
  const [first] = preferred.call(negotiator, [...CODINGS, 'identity'], { preferred: CODINGS });
  return CODINGS.find((each) => each === first);
}

const compressResponse: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const accept = request.headers['accept-encoding'];
  if (accept === undefined) return done(null, payload);
  const isUnmodified = reply.statusCode === 304;
  const isLeft = running >= LIMITS.compressionsAtOnce || !isCompressible(reply, payload);
  if (isLeft && !isUnmodified) return done(null, payload);
  const coding = codingFor(accept);
  if (coding === undefined) return done(null, payload);
  if (isUnmodified) {
    keepTag(reply);
    return done(null, payload);
  }
  // `lengthOf` returns 0 for any other type.
  compressed(reply, payload as string | Buffer | Readable, coding).then((bytes) => {
    const etag = reply.getHeader('etag');
    if (etag !== undefined) reply.header('etag', encodedTag(String(etag), coding));
    reply.header('content-encoding', coding).removeHeader('content-length');
    done(null, bytes);
  }, done);
};

/** Compresses a response that is written in parts. */
export interface StreamCompression {
  readonly coding: Coding;
  /** The user must end or destroy it. */
  readonly stream: Transform;
}

/** Begins to compress the response to a request; undefined if it is sent uncompressed. */
export function beginCompression({
  headers,
}: Pick<FastifyRequest, 'headers'>): StreamCompression | undefined {
  const accept = headers['accept-encoding'];
  const coding = accept === undefined ? undefined : codingFor(accept);
  if (coding === undefined) return undefined;
  const stream =
    coding === 'br'
      ? createBrotliCompress({ params: BROTLI })
      : createGzip({ level: constants.Z_BEST_SPEED });
  return { coding, stream };
}

/** Sends back the tag of a compressed response to a client whose condition has it (RFC 9110, section 15.4.5). */
function keepTag(reply: FastifyReply): void {
  const etag = reply.getHeader('etag');
  if (etag === undefined) return;
  const tags = CODINGS.map((coding) => encodedTag(String(etag), coding));
  const sent = tags.find((tag) => reply.request.headers['if-none-match']?.includes(tag));
  if (sent !== undefined) reply.header('etag', sent);
}

/** Adds compression to a route, after the route's own hooks. */
export const withCompression = (route: RouteOptions): RouteOptions => ({
  ...route,
  onSend: [...[route.onSend ?? []].flat(), compressResponse],
});
