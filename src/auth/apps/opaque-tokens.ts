import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Role } from '../../core/roles.ts';
import type { Database } from '../../db/database.ts';
import { findLiveGrant } from '../../db/queries/grants.ts';
import { grantEnded } from '../changes.ts';
import { isIdentity } from '../claims.ts';
import type { Confirmation } from '../confirmation.ts';
import { limitedToRole, type Principal } from '../policy.ts';
import { hasEnded } from '../tokens.ts';
import { clientIdOf } from './client-id.ts';
import { scopesOf } from './grants.ts';

/** An opaque token as the authorization server stores it. */
export interface StoredToken {
  readonly grantId: number;
  readonly scope: string;
  /** The role at the time of issue, which limits the token like a JWT. */
  readonly role: Role;
  readonly expiresAt: Date;
  readonly confirmation: Confirmation | undefined;
}

interface OpaqueTokensOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Finds a token in the records of the authorization server. */
  readonly find: (token: string) => Promise<StoredToken | undefined>;
}

/** 43 characters carry 256 random bits. */
const SHAPE = /^[\w-]{43}$/;

export const isOpaque = (token: string): boolean => SHAPE.test(token);

/** Opaque access tokens of apps, which are not JWTs: they are looked up in the database and cached for a few seconds. */
export class OpaqueTokens {
  readonly #options: OpaqueTokensOptions;
  /** Created with the first token, since it allocates memory for all of its entries. */
  #known: LRUCache<string, { readonly principal: Principal; readonly at: number }> | undefined;

  constructor(options: OpaqueTokensOptions) {
    this.#options = options;
  }

  /** Returns the principal of a token. @throws ApiError `invalid_token`. */
  verify(token: string, at: Date): Principal | Promise<Principal> {
    const entry = this.#known?.get(token);
    // A clock that was set back must not make a token last longer.
    const isFresh = entry && Math.abs(at.getTime() - entry.at) < LIMITS.opaqueTokenAge;
    if (isFresh && !hasEnded(entry.principal, at)) return entry.principal;
    return this.#look(token);
  }

  async #look(token: string): Promise<Principal> {
    const { database, clock, find } = this.#options;
    const began = clock().getTime();
    const stored = await find(token);
    if (!stored) throw new ApiError('invalid_token');
    const grant = await findLiveGrant(database, { id: stored.grantId });
    if (!grant) throw grantEnded();
    const asked = stored.scope.split(' ');
    const scopes = scopesOf(grant).filter((scope) => asked.includes(scope));
    const principal: Principal = {
      kind: 'app',
      userId: grant.userId,
      org: grant.org,
      role: grant.role,
      scopes: new Set(scopes),
      expiresAt: stored.expiresAt.getTime() / 1000,
      credential: { table: 'grants', id: grant.id },
      grant: {
        id: grant.id,
        appId: grant.appId,
        clientId: clientIdOf(grant.appId),
        identity: asked.filter(isIdentity),
      },
      ...(stored.confirmation && { confirmation: stored.confirmation }),
    };
    const limited = limitedToRole(principal, stored.role);
    this.#known ??= new LRUCache({ max: LIMITS.verifiedTokens });
    this.#known.set(token, { principal: limited, at: began });
    return limited;
  }
}
