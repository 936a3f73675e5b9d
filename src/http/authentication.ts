import type { FastifyRequest } from 'fastify';
import type { ApiKeys } from '../auth/api-keys.ts';
import { type Credentials, parseAuthorization } from '../auth/credentials.ts';
import type { Principal } from '../auth/policy.ts';
import type { Tokens } from '../auth/tokens.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from '../graphql/context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; null until that was found out, and for a caller without usable credentials. */
    principal: Principal | null;
  }
}

export type Authenticate = (request: FastifyRequest) => Caller | Promise<Caller>;

/**
 * Finds out who is calling. It never fails: credentials that are of no use are refused where a caller is asked for, and
 * signing in again with an expired token in the header must work.
 *
 * The answer comes without a promise for a token that was verified before, which is nearly always.
 */
export function createAuthentication(tokens: Tokens, apiKeys: ApiKeys): Authenticate {
  const verify = (credentials: Credentials) =>
    credentials.scheme === 'bearer' ? tokens.verify(credentials.token) : apiKeys.verify(credentials.key);
  return (request) => {
    // Read at once: a connection that breaks meanwhile has none any more.
    const address = request.ip;
    try {
      const credentials = parseAuthorization(authorizationOf(request));
      if (credentials === null) return { principal: null, address };
      const principal = verify(credentials);
      if (!(principal instanceof Promise)) return admitted(request, principal, address);
      return principal.then(
        (verified) => admitted(request, verified, address),
        (error: unknown) => refused(error, address),
      );
    } catch (error) {
      return refused(error, address);
    }
  };
}

function admitted(request: FastifyRequest, principal: Principal, address: string): Caller {
  request.principal = principal;
  return { principal, address };
}

function refused(error: unknown, address: string): Caller {
  if (error instanceof ApiError) return { principal: null, address, refusal: error };
  throw error;
}

/** Node keeps the first of several Authorization headers and drops the others; which one was meant is anybody's guess. */
function authorizationOf({ raw, headers }: FastifyRequest): string | undefined {
  const { rawHeaders } = raw;
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 'authorization'.length && name.toLowerCase() === 'authorization') seen += 1;
  }
  if (seen > 1)
    throw new ApiError('invalid_token', { message: 'There is more than one Authorization header.' });
  return headers.authorization;
}
