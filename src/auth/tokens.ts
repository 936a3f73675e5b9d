import { randomUUID } from 'node:crypto';
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Role } from '../core/roles.ts';
import { readClaims } from './claims.ts';
import type { Keys } from './keys.ts';
import { type Principal, scopesWithin } from './policy.ts';

const ALGORITHM = 'EdDSA';

/** The media type of access tokens (RFC 9068, section 2.1). Other JWTs signed with the same keys have another one. */
const TYPE = 'at+jwt';

/** The members of our token headers. A header with others (`jwk`, `jku`, `x5u`, `crit`, …) is not ours. */
const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'typ', 'kid']);

/**
 * Three parts of base64url, the last being the 64 bytes of an Ed25519 signature. Its last character carries only 2 bits, so only
 * 4 values are accepted: otherwise one token could be written in 16 ways.
 */
const SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]$/;

/**
 * Characters at the end of a token that are its key in the cache: 24 bytes of its signature, which no two tokens share by chance.
 * A look-up hashes the whole text, which is new with each request; hashing the key and comparing two tokens is far cheaper.
 */
const KEY_LENGTH = 32;

const keyOf = (token: string) => token.slice(-KEY_LENGTH);

/** The subject of a new token. */
export interface TokenSubject {
  readonly userId: number;
  readonly org: string;
  readonly role: Role;
  /** The granted scopes. The token gets those that the role includes. */
  readonly scopes: Iterable<string>;
  readonly sessionId?: number;
}

interface AccessToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface TokensOptions {
  readonly keys: Pick<Keys, 'generation' | 'signing' | 'find' | 'refreshInBackground'>;
  /** The `iss` of the tokens: the public URL of this server. */
  readonly issuer: string;
  /** The `aud` of the tokens: the server that accepts them. */
  readonly audience: string;
  readonly clock: Clock;
  /** Verified tokens kept in memory: the least recently used is forgotten first. */
  readonly capacity?: number;
}

/** Access tokens: JWTs signed with Ed25519, valid for 15 minutes. Each signature is checked once per token and not once per request. */
export class Tokens {
  readonly #options: TokensOptions;
  readonly #verified: LRUCache<string, { readonly token: string; readonly principal: Principal }>;
  readonly #pending = new Map<string, Promise<Principal>>();
  #generation: number;

  constructor(options: TokensOptions) {
    this.#options = options;
    this.#verified = new LRUCache({ max: options.capacity ?? LIMITS.verifiedTokens });
    this.#generation = options.keys.generation;
  }

  async issue(subject: TokenSubject): Promise<AccessToken> {
    const { keys, issuer, audience, clock } = this.#options;
    const { kid, privateKey } = await keys.signing();
    const iat = Math.floor(clock().getTime() / 1000);
    const expiresIn = LIMITS.accessTokenLifetime / 1000;
    const { userId, org, role, scopes, sessionId } = subject;
    const claims = {
      sub: String(userId),
      org,
      role,
      scopes: scopesWithin(role, scopes),
      iat,
      exp: iat + expiresIn,
      iss: issuer,
      aud: audience,
      jti: randomUUID(),
      // The id of the session in decimal digits (OpenID Connect Front-Channel Logout 1.0, section 3).
      ...(sessionId !== undefined && { sid: String(sessionId) }),
    };
    const accessToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
      .sign(privateKey);
    return { accessToken, expiresIn };
  }

  /**
   * Returns the principal of a token that was verified before and has not expired; undefined for any other text.
   *
   * @param at when the request arrived.
   */
  known(token: string, at: Date): Principal | undefined {
    this.#forgetFormerKeys();
    const entry = this.#verified.get(keyOf(token));
    if (entry?.token !== token || hasEnded(entry.principal, at)) return undefined;
    // A cached token needs no key, so without this only new tokens would notice that a key was removed from the file.
    this.#options.keys.refreshInBackground();
    return entry.principal;
  }

  /**
   * Returns the principal of a token: synchronously if it was verified before and has not expired, otherwise as a promise.
   *
   * @param at when the request arrived; now when left out.
   * @throws ApiError `token_expired` for one of our tokens that has expired, `invalid_token` for any other problem; thrown or
   *   rejected, so call it with `await` or within a `try`.
   */
  verify(token: string, at: Date = this.#options.clock()): Principal | Promise<Principal> {
    return this.known(token, at) ?? this.#pending.get(token) ?? this.#begin(token);
  }

  /** Clears the cache when the keys have changed, so that tokens of a removed key are not accepted any longer. */
  #forgetFormerKeys(): void {
    const { generation } = this.#options.keys;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#verified.clear();
  }

  #begin(token: string): Promise<Principal> {
    if (token.length > LIMITS.authorizationLength || !SHAPE.test(token)) throw new ApiError('invalid_token');
    const verification = this.#check(token).finally(() => this.#pending.delete(token));
    this.#pending.set(token, verification);
    return verification;
  }

  async #check(token: string): Promise<Principal> {
    const { clock, keys } = this.#options;
    const { generation } = keys;
    try {
      const principal = readClaims(await this.#verifySignature(token));
      if (principal === undefined) throw new ApiError('invalid_token');
      // The library compares whole seconds, the cache milliseconds: an `exp` with a fraction falls between.
      if (hasEnded(principal, clock())) throw new ApiError('token_expired');
      // If the keys have changed while the signature was checked, the next use checks it again.
      if (generation === keys.generation) this.#verified.set(keyOf(token), { token, principal });
      return principal;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const code = error instanceof errors.JWTExpired ? 'token_expired' : 'invalid_token';
      throw new ApiError(code, { cause: error });
    }
  }

  async #verifySignature(token: string): Promise<Readonly<Record<string, unknown>>> {
    const { issuer, audience, clock } = this.#options;
    const { payload } = await jwtVerify(token, (header: JWTHeaderParameters) => this.#keyFor(header), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer,
      audience,
      currentDate: clock(),
    });
    return payload;
  }

  async #keyFor(header: JWTHeaderParameters) {
    const { kid } = header;
    const ours = header.typ === TYPE && Object.keys(header).every((member) => HEADER_MEMBERS.has(member));
    const key = ours && typeof kid === 'string' ? await this.#options.keys.find(kid) : undefined;
    if (key === undefined) throw new ApiError('invalid_token');
    return key;
  }
}

/** Whether the credentials have expired: they are invalid at the time in `exp`, not only after it (RFC 7519, section 4.1.4). */
export function hasEnded(principal: Principal, at: Date): boolean {
  return at.getTime() >= principal.expiresAt * 1000;
}
