/**
 * Failures of this server at the endpoints of the authorization server, such as an unavailable database. They have the format of
 * OAuth 2.0, or are pages for browsers, with the status and Retry-After of the same failure elsewhere.
 */
import type { RouteOptions } from 'fastify';
import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { ApiError } from '../../core/errors.ts';
import { OWN_WORK } from '../../core/fair-queue.ts';
import { BoundDatabase } from '../../db/bound.ts';
import type { Database, Transaction } from '../../db/database.ts';
import type { Statement } from '../../db/statement.ts';
import { toApiError } from '../../graphql/errors.ts';
import { errorHeaders } from '../headers.ts';
import { clientErrorOf } from '../hooks/errors.ts';
import { JSON_TYPE, weightOf } from '../negotiation.ts';
import { errorPage, sendErrorPage } from './pages.ts';

/** An error response of OAuth 2.0 (RFC 6749, section 5.2). */
interface OAuthError {
  readonly error: string;
  readonly error_description: string;
}

/**
 * Returns the OAuth error of a failure. RFC 6749 (section 4.1.2.1) defines `temporarily_unavailable` only for redirects; it is used
 * in all responses, since no other code expresses that a retry may succeed.
 */
function oauthErrorOf({ status, isUnavailable, message }: ApiError): OAuthError {
  if (isUnavailable || status === 429)
    return { error: 'temporarily_unavailable', error_description: message };
  return { error: status >= 500 ? 'server_error' : 'invalid_request', error_description: message };
}

/** An error of the catalogue, as an error that oidc-provider sends or appends to a redirect. */
class OAuthFailure extends errors.OIDCProviderError {
  readonly failure: ApiError;

  constructor(failure: ApiError) {
    const { error, error_description } = oauthErrorOf(failure);
    super(failure.status, error, { cause: failure });
    this.failure = failure;
    this.error_description = error_description;
    // oidc-provider logs an error that it does not expose, and replaces its description.
    this.expose = error !== 'server_error';
  }
}

/** The last failure of each request. */
const failures = new WeakMap<KoaContextWithOIDC, ApiError>();

/** Throws what a call by oidc-provider threw. An error of the catalogue is recorded for the request, and converted. */
export function rethrow(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  if (Provider.ctx) failures.set(Provider.ctx, error);
  throw new OAuthFailure(error);
}

/** The database as oidc-provider and its callbacks use it. @throws OAuthFailure where the database throws an `ApiError`. */
export class ProviderDatabase extends BoundDatabase {
  constructor(database: Database) {
    super(database, undefined, OWN_WORK, undefined);
  }

  override run<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    return super.run(statement, params).catch(rethrow);
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return super.transaction(work).catch(rethrow);
  }
}

/** A middleware of oidc-provider. */
export type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<unknown>) => Promise<void>;

/**
 * Responds to failures that no endpoint handles, such as that of saving the session after the endpoint has responded, and adds
 * Retry-After. Koa would send text, and fail with errors whose status is read-only.
 *
 * @param onFailure called with unexpected errors.
 */
export function handleFailures(onFailure: (error: unknown) => void): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const known = thrown instanceof OAuthFailure ? thrown.failure : thrown;
      if (!(known instanceof ApiError)) onFailure(known);
      const failure = toApiError(known);
      failures.set(ctx, failure);
      const out = oauthErrorOf(failure);
      ctx.remove('location');
      ctx.status = failure.status;
      if (ctx.accepts('json', 'html') === 'html') errorPage(ctx, out);
      else ctx.body = out;
    }
    const failure = failures.get(ctx);
    // A failure does not always determine the response: a redirect contains it.
    if (failure && ctx.status === failure.status) ctx.set(errorHeaders(failure));
  };
}

/** Returns the error handler of routes of the authorization server, for errors outside of oidc-provider. @param publicUrl the issuer. */
export function sendFailure(publicUrl: string): NonNullable<RouteOptions['errorHandler']> {
  return (thrown, request, reply) => {
    const error = clientErrorOf(thrown instanceof OAuthFailure ? thrown.failure : thrown, request);
    const out = oauthErrorOf(error);
    reply.code(error.status).headers(errorHeaders(error)).header('cache-control', 'no-store');
    const { accept } = request.headers;
    if (weightOf('text/html', accept) > weightOf('application/json', accept)) {
      return sendErrorPage(reply, publicUrl, out);
    }
    return reply.type(JSON_TYPE).send(out);
  };
}
