/** Sender-constrained tokens: bound to a key by a proof of possession (DPoP, RFC 9449) or a client certificate (RFC 8705). */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.ts';
import { ApiError, type ApiErrorOptions } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { PresentedCertificate } from './certificate-matches.ts';

/** The `cnf` of a token. */
export interface Confirmation {
  /** The thumbprint of the key that proofs are signed with. */
  readonly jkt?: string;
  /** The SHA-256 thumbprint of the client certificate, base64url. */
  readonly x5t?: string;
}

/** The evidence that came with a token. */
export interface Evidence {
  /** The `DPoP` header (RFC 9449, section 4.1). */
  readonly proof?: string | undefined;
  readonly method: string;
  /** The URLs of the request that a proof may name, without their query. */
  readonly urls: readonly string[];
  /** The certificate whose key the client has proven to possess. */
  readonly certificate?: PresentedCertificate | undefined;
  /** Whether a page of another site may have sent the request: browsers present a certificate for any page. */
  readonly isCrossSite: boolean;
  /** The key that was already proven, for evidence that is kept as long as a connection: a proof can be used only once. */
  proven?: string | undefined;
}

/** The signature algorithms that proofs may use. */
export const PROOF_ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519'] as const;

/** Each instance remembers the proofs that it has seen. An intercepted proof works on other instances until it is too old. */
export class Proofs {
  readonly #clock: Clock;
  /** Created with the first proof, since it allocates memory for all of its entries. */
  #seen: LRUCache<string, true> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves if the proof is for this token and this request, signed with the key that the token is bound to, recent, and not
   * used before.
   *
   * @throws ApiError `invalid_token`.
   */
  async check(token: string, jkt: string, evidence: Evidence): Promise<void> {
    const { proof, method, urls } = evidence;
    if (evidence.proven === jkt) return;
    if (proof === undefined) throw refusal('is missing');
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: [...PROOF_ALGORITHMS],
      typ: 'dpop+jwt',
      currentDate: this.#clock(),
    }).catch((cause: unknown) => {
      throw refusal('is not valid', { cause });
    });
    const key = protectedHeader.jwk;
    if (!key || (await calculateJwkThumbprint(key, 'sha256')) !== jkt)
      throw refusal('is signed with another key', { dpopError: 'invalid_token' });
    if (payload['htm'] !== method) throw refusal('is for another method');
    if (!urls.some((url) => isFor(payload['htu'], url))) throw refusal('is for another URL');
    if (payload['ath'] !== createHash('sha256').update(token).digest('base64url')) {
      throw refusal('is for another token');
    }
    this.#remember(jkt, payload);
    evidence.proven = jkt;
  }

  #remember(jkt: string, { jti, iat }: JWTPayload): void {
    if (typeof jti !== 'string' || jti === '' || jti.length > LIMITS.proofIdLength)
      throw refusal('has no valid jti');
    const age = this.#clock().getTime() - (iat ?? 0) * 1000;
    if (Math.abs(age) > LIMITS.proofAge) throw refusal('is too old, or from the future');
    const key = `${jkt} ${jti}`;
    this.#seen ??= new LRUCache({ max: LIMITS.proofsRemembered });
    if (this.#seen.has(key)) throw refusal('was already used');
    this.#seen.set(key, true);
  }
}

/** Whether a proof is for this URL, compared without query and fragment (RFC 9449, section 4.3). */
export function isFor(htu: unknown, url: string): boolean {
  const named = typeof htu === 'string' ? URL.parse(htu) : null;
  if (!named) return false;
  named.search = '';
  named.hash = '';
  return named.href === new URL(url).href;
}

/** @param options by default, the proof is invalid; the token is, for a key that it is not bound to. */
const refusal = (problem: string, options: Pick<ApiErrorOptions, 'dpopError' | 'cause'> = {}) =>
  new ApiError('invalid_token', {
    message: `The DPoP proof of the token ${problem}.`,
    dpopError: 'invalid_dpop_proof',
    ...options,
  });

/** The error for a token that is bound to a certificate, from a connection with another certificate or none. */
export const wrongCertificate = (): ApiError =>
  new ApiError('invalid_token', { message: 'The token is bound to another client certificate.' });
