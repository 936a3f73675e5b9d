import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isOpaque } from '../../auth/apps/opaque-tokens.ts';
import { type Confirmation, type Evidence, type Proofs, wrongCertificate } from '../../auth/confirmation.ts';
import { type Credentials, parseAuthorization } from '../../auth/credentials.ts';
import type { Principal } from '../../auth/policy.ts';
import { ApiError } from '../../core/errors.ts';
import type { ServerUrls } from '../../core/public-url.ts';
import type { Caller } from '../../pipeline/context.ts';
import { wantsEventStream } from '../negotiation.ts';
import type { Authenticate, Identify, Verifiers } from '../parts.ts';
import { presentedBy } from '../tls/presented.ts';
import { isCrossSite } from './cross-site.ts';
import { isSafeMethod, pathIn } from './message.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before authentication, or without valid credentials. */
    principal: Principal | null;
  }
}

/** The scheme of a token as nearly all clients write it. */
const BEARER = 'Bearer ';

/**
 * Creates the function that identifies callers. Invalid credentials are not an error here, but only where a caller is required:
 * signing in again with an expired token in the header must work.
 *
 * For a token that was verified before, the usual case, the function returns without a promise.
 */
export function createIdentification(verifiers: Verifiers): Identify {
  const { tokens, presence, clock } = verifiers;
  const verifyHeader = createVerification(verifiers);
  /** Finds a token that was verified before, without parsing, the slowest part. */
  const known = (authorization: string | undefined, at: Date) =>
    authorization?.startsWith(BEARER) ? tokens.known(authorization.slice(BEARER.length), at) : undefined;
  return (authorization, address, evidenceOf) => {
    const at = clock();
    const signed = known(authorization, at);
    try {
      // A token that is bound to a key needs its proof verified.
      const verified =
        signed && !signed.confirmation ? presence.now(signed) : verifyHeader(authorization, at, evidenceOf);
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

/** Creates the function that verifies the credentials of a header; without one, the certificate. Null for neither. */
function createVerification(verifiers: Verifiers) {
  const { tokens, opaqueTokens, apiKeys, clientCertificates, proofs, presence } = verifiers;
  const admit = (principal: Principal, credentials: TokenCredentials, evidenceOf: () => Evidence) => {
    const { confirmation } = principal;
    if (confirmation)
      return requireProof(confirmation, credentials, evidenceOf(), proofs).then(() =>
        presence.now(principal),
      );
    if (credentials.scheme === 'dpop') throw notBound();
    return presence.now(principal);
  };
  const verifyToken = (credentials: TokenCredentials, at: Date, evidenceOf: () => Evidence) => {
    const { token } = credentials;
    const verified = isOpaque(token) ? opaqueTokens.verify(token, at) : tokens.verify(token, at);
    return verified instanceof Promise
      ? verified.then((principal) => admit(principal, credentials, evidenceOf))
      : admit(verified, credentials, evidenceOf);
  };
  const verifyCertificate = ({ certificate, isCrossSite }: Evidence) =>
    certificate && !isCrossSite ? clientCertificates.verify(certificate) : null;
  return (authorization: string | undefined, at: Date, evidenceOf: () => Evidence) => {
    const credentials = parseAuthorization(authorization);
    if (credentials === null) return verifyCertificate(evidenceOf());
    // A key is looked up for every request, with its owner.
    return credentials.scheme === 'api_key'
      ? apiKeys.verify(credentials.key)
      : verifyToken(credentials, at, evidenceOf);
  };
}

/** @throws ApiError `invalid_token` unless the sender of a bound token holds its key. */
async function requireProof(
  { jkt, x5t }: Confirmation,
  { scheme, token }: TokenCredentials,
  evidence: Evidence,
  proofs: Proofs,
): Promise<void> {
  if (x5t !== undefined && evidence.certificate?.thumbprint !== x5t) throw wrongCertificate();
  // A stolen bound token must not work as an ordinary one (RFC 9449, section 7.1).
  if (jkt === undefined ? scheme === 'dpop' : scheme !== 'dpop' && evidence.proven !== jkt) throw notBound();
  if (jkt !== undefined) await proofs.check(token, jkt, evidence);
}

type TokenCredentials = Extract<Credentials, { readonly token: string }>;

const notBound = () =>
  new ApiError('invalid_token', {
    message: 'Send a token that is bound to a key as "DPoP" with a proof, and any other token as "Bearer".',
  });

/** Returns the evidence of a request: its proof and its certificate. @param publicUrl the URL at which clients reach the server. */
export function evidenceOf(request: IncomingMessage, publicUrl: string, serverUrls: ServerUrls): Evidence {
  const { method, headers, socket } = request;
  const path = pathIn(request.url);
  const { dpop } = headers;
  const certificate = presentedBy(request);
  return {
    // The header must appear only once, so several proofs count as none.
    proof: typeof dpop === 'string' ? dpop : undefined,
    method: method ?? '',
    urls: serverUrls(socket).map((url) => url + path),
    certificate,
    isCrossSite: certificate !== undefined && isCrossSite(request, publicUrl),
  };
}

/** Authenticates a request by its headers. */
export function createAuthentication(
  identify: Identify,
  publicUrl: string,
  serverUrls: ServerUrls,
): Authenticate {
  return (request) => {
    // Read before anything waits: a closed connection has no address.
    const address = request.ip;
    const { authorization } = request.headers;
    refuseSecondToken(request);
    const caller = identify(authorization ?? tokenInUrl(request), address, () =>
      evidenceOf(request.raw, publicUrl, serverUrls),
    );
    if (!(caller instanceof Promise)) return noted(request, caller);
    return caller.then((known) => noted(request, known));
  };
}

function noted(request: FastifyRequest, caller: Caller): Caller {
  request.principal = caller.principal;
  return { ...caller, requestId: request.id };
}

function refused(error: unknown, from: Pick<Caller, 'address' | 'at'>): Caller {
  if (error instanceof ApiError) return { principal: null, ...from, refusal: error };
  throw error;
}

/**
 * Reads a token in the URL (RFC 6750, section 2.3), for a browser's EventSource, which cannot send headers. Only streams accept
 * it: their responses are not cached, and no log contains URLs.
 */
function tokenInUrl(request: FastifyRequest): string | undefined {
  if (!isSafeMethod(request.method) || !wantsEventStream(request)) return undefined;
  const { access_token: token } = request.query as Record<string, unknown>;
  return typeof token === 'string' ? `Bearer ${token}` : undefined;
}

/**
 * Refuses a request with two tokens, since it is ambiguous which one counts (RFC 6750, sections 2 and 3.1).
 *
 * @throws ApiError `malformed_request`.
 */
function refuseSecondToken({ headers, query }: FastifyRequest): void {
  const { access_token: inUrl } = query as Record<string, unknown>;
  if (inUrl === undefined || (headers.authorization === undefined && !Array.isArray(inUrl))) return;
  throw new ApiError('malformed_request', {
    message: 'Send one access token: either in the Authorization header or in the URL.',
  });
}
