import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.ts';
import { parseAuthorization } from '../../auth/credentials.ts';
import type { Principal } from '../../auth/policy.ts';
import type { Presence } from '../../auth/presence.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { Clock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import type { Caller } from '../../pipeline/context.ts';
import { wantsEventStream } from '../streams/event-stream-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before authentication, and without valid credentials. */
    principal: Principal | null;
  }
}

export type Authenticate = (request: FastifyRequest) => Caller | Promise<Caller>;

/** The same for credentials from elsewhere, such as `connection_init`. */
export type Identify = (authorization: string | undefined, address: string) => Caller | Promise<Caller>;

/** How nearly every client writes the scheme of a token. */
const BEARER = 'Bearer ';

/**
 * Identifies the caller. Invalid credentials are no error here, but where a caller is required:
 * signing in again with an expired token in the header must work.
 *
 * The response comes without a promise for a token that was verified before, which is nearly always.
 */
export function createIdentification(
  tokens: Tokens,
  apiKeys: ApiKeys,
  presence: Presence,
  clock: Clock,
): Identify {
  const verifyToken = (token: string, at: Date): Principal | Promise<Principal> => {
    const verified = tokens.verify(token, at);
    return verified instanceof Promise
      ? verified.then((principal) => presence.now(principal))
      : presence.now(verified);
  };
  const verifyHeader = (authorization: string | undefined, at: Date) => {
    const credentials = parseAuthorization(authorization);
    if (credentials === null) return null;
    // A key is looked up each time, with its owner.
    return credentials.scheme === 'bearer'
      ? verifyToken(credentials.token, at)
      : apiKeys.verify(credentials.key);
  };
  /** Known tokens skip parsing, the slowest part. */
  const known = (authorization: string | undefined, at: Date) =>
    authorization?.startsWith(BEARER) ? tokens.known(authorization.slice(BEARER.length), at) : undefined;
  return (authorization, address) => {
    const at = clock();
    const signed = known(authorization, at);
    try {
      const verified = signed ? presence.now(signed) : verifyHeader(authorization, at);
      if (verified === null) return { principal: null, address, at };
      if (!(verified instanceof Promise)) return { principal: verified, address, at };
      return verified.then(
        (caller) => ({ principal: caller, address, at: clock() }),
        (error: unknown) => refused(error, { address, at: clock() }),
      );
    } catch (error) {
      return refused(error, { address, at });
    }
  };
}

/** Authenticates a request by its headers. */
export function createAuthentication(identify: Identify, clock: Clock): Authenticate {
  return (request) => {
    // Read now: a broken connection has no address.
    const address = request.ip;
    let authorization: string | undefined;
    try {
      authorization = authorizationOf(request.raw) ?? tokenInUrl(request);
    } catch (error) {
      return refused(error, { address, at: clock() });
    }
    const caller = identify(authorization, address);
    if (!(caller instanceof Promise)) return noted(request, caller);
    return caller.then((known) => noted(request, known));
  };
}

function noted(request: FastifyRequest, caller: Caller): Caller {
  request.principal = caller.principal;
  return caller;
}

function refused(error: unknown, from: Pick<Caller, 'address' | 'at'>): Caller {
  if (error instanceof ApiError) return { principal: null, ...from, refusal: error };
  throw error;
}

/**
 * The one place where a token may stand in a URL (RFC 6750, section 2.3): a browser's EventSource can send no header. It counts
 * for streams alone, whose responses are not cached, and no log has URLs in it.
 */
function tokenInUrl(request: FastifyRequest): string | undefined {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || !wantsEventStream(request)) return undefined;
  const { access_token: token } = request.query as Record<string, unknown>;
  return typeof token === 'string' ? `Bearer ${token}` : undefined;
}

/** Node keeps the first of several Authorization headers and drops the others; the intended one is unknown. */
export function authorizationOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 'authorization'.length && name.toLowerCase() === 'authorization') seen += 1;
  }
  if (seen > 1)
    throw new ApiError('invalid_token', { message: 'There is more than one Authorization header.' });
  return headers.authorization;
}
