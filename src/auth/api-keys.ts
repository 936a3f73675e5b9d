/**
 * API keys: long-lived credentials of machines. A key acts for the person who made it and never does more than that
 * person may do now, since each use looks at the person as well.
 */
import { randomBytes as systemRandomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { boundTo } from '../db/bound.ts';
import type { Database } from '../db/database.ts';
import { findUsableApiKey, insertApiKey, revokeApiKey, type VisibleApiKey } from '../db/queries/api-keys.ts';
import { apiKeyPrefix, hashSecret, parseApiKey, SECRET_BYTES } from './api-key-format.ts';
import { holdRights, recordChange } from './changes.ts';
import type { CredentialUses } from './credential-uses.ts';
import { refuseApps } from './grants.ts';
import { type NewCredential, problemsWithCredential, tokenIdOf } from './machine-credentials.ts';
import { type Principal, scopesWithin } from './policy.ts';

/** A key as it is shown to the one who made it, once. */
export type CreatedApiKey = VisibleApiKey & { readonly key: string };

export interface ApiKeys {
  /**
   * Makes a key for the person who is calling.
   *
   * @param path where the wish stands among the caller's arguments; the details of a refusal begin with it.
   * @param own the database of the request; the server's when left out.
   * @throws ApiError `validation_failed` naming each value that is not allowed, and what `recordChange` throws.
   */
  create(caller: Principal, wish: NewCredential, path: string, own?: Database): Promise<CreatedApiKey>;
  /**
   * Ends a key of the caller's organisation from the next request on. One that has ended stays as it is.
   *
   * @param own as for {@link create}.
   * @throws ApiError as `holdRights`.
   */
  revoke(caller: Principal, id: number, own?: Database): Promise<void>;
  /**
   * Whom the key stands for, with the role that its owner has now and those of its scopes that this role gives.
   *
   * Rejects with ApiError `token_expired` for a key that is past its end, `invalid_token` for anything else that is wrong
   * with it, `unavailable` when the database cannot say.
   */
  verify(key: string): Promise<Principal>;
}

export interface ApiKeysOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly uses: CredentialUses;
  readonly randomBytes?: (size: number) => Uint8Array;
}

/** The hash to compare for an unknown id, so that timing does not reveal it. No secret has it. */
const NO_HASH = Buffer.alloc(SECRET_BYTES);

export function createApiKeys(options: ApiKeysOptions): ApiKeys {
  const { database, clock, uses, randomBytes = systemRandomBytes } = options;

  async function create(
    caller: Principal,
    wish: NewCredential,
    path: string,
    own = database,
  ): Promise<CreatedApiKey> {
    refuseApps(caller);
    const now = clock();
    const details = problemsWithCredential(wish, caller, now, path);
    if (details.length > 0) throw new ApiError('validation_failed', { details });
    const { org, userId } = caller;
    const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
    const made = await own.transaction(async (tx) => {
      const { name, expiresAt } = wish;
      const scopes = scopesWithin(caller.role, wish.scopes);
      const secretHash = hashSecret(secret).toString('base64url');
      const row = await insertApiKey(tx, {
        org,
        userId,
        name,
        secretHash,
        scopes,
        createdAt: now,
        expiresAt,
      });
      const data = { name, scopes, expires_at: expiresAt?.toISOString() ?? null };
      await recordChange(tx, caller, { org, type: 'api_key.created', subjectId: row.id, data }, clock);
      return row;
    });
    return { ...made, key: apiKeyPrefix(made.id) + secret };
  }

  async function revoke(caller: Principal, id: number, own = database): Promise<void> {
    const { org } = caller;
    await own.transaction(async (tx) => {
      // Asked before, since a key may revoke itself.
      const held = await holdRights(tx, caller);
      const ended = await revokeApiKey(tx, org, id, clock());
      if (!ended) return;
      const data = { name: ended.name, user_id: ended.userId };
      await recordChange(tx, held, { org, type: 'api_key.revoked', subjectId: id, data }, clock);
    });
  }

  async function verify(key: string): Promise<Principal> {
    const parts = parseApiKey(key);
    if (!parts) throw refusal();
    // Whose key it is, is known afterwards. Each waits for a connection by itself, so that a busy one holds up no other.
    const flow = { org: ':api-keys', caller: String(parts.id) };
    const row = await findUsableApiKey(boundTo(database, undefined, flow), parts.id);
    const expected = row ? Buffer.from(row.secretHash, 'base64url') : NO_HASH;
    // The secret is checked first: callers without it must not learn the key's state.
    if (!timingSafeEqual(hashSecret(parts.secret), expected) || !row) throw refusal();
    const { id, userId, org, role, expiresAt } = row;
    const now = clock();
    if (expiresAt && expiresAt <= now) {
      throw new ApiError('token_expired', { message: 'The API key has expired.' });
    }
    uses.note(row, now);
    return {
      kind: 'api_key',
      userId,
      org,
      role,
      scopes: new Set(scopesWithin(role, row.scopes)),
      expiresAt: expiresAt ? expiresAt.getTime() / 1000 : Number.POSITIVE_INFINITY,
      tokenId: tokenIdOf('api_key', id),
    };
  }

  return { create, revoke, verify };
}

function refusal(): ApiError {
  return new ApiError('invalid_token', {
    message: 'The API key is not known here, or is not valid any more.',
  });
}
