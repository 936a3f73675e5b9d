/**
 * API keys: long-lived credentials of machines. A key acts for the person who created it and never has more rights than that
 * person currently has, since each use reads the person as well.
 */
import { randomBytes as systemRandomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { boundTo } from '../db/bound.ts';
import type { Database } from '../db/database.ts';
import { findUsableApiKey, insertApiKey, revokeApiKey, type VisibleApiKey } from '../db/queries/api-keys.ts';
import { apiKeyPrefix, hashSecret, parseApiKey, SECRET_BYTES } from './api-key-format.ts';
import { type Commit, holdRights, recordChange } from './changes.ts';
import type { CredentialUses } from './credential-uses.ts';
import { refuseApps } from './grants.ts';
import { type NewCredential, problemsWithCredential, tokenIdOf } from './machine-credentials.ts';
import { type Principal, scopesWithin } from './policy.ts';

/** A new key, with its secret, which is shown only once. */
export type CreatedApiKey = VisibleApiKey & { readonly key: string };

export interface ApiKeys {
  /**
   * Creates a key for the caller.
   *
   * @param path the path of the input in the caller's arguments, with which the details of an error begin.
   * @param commit runs the change; the server's database when left out.
   * @throws ApiError `validation_failed` naming each invalid value, and the errors of `recordChange`.
   */
  create(caller: Principal, input: NewCredential, path: string, commit?: Commit): Promise<CreatedApiKey>;
  /**
   * Revokes a key of the caller's organisation from the next request on. A key that was revoked before stays unchanged.
   *
   * @param own the database of the request; the server's when left out.
   * @throws ApiError like `holdRights`.
   */
  revoke(caller: Principal, id: number, own?: Database): Promise<void>;
  /**
   * Verifies a key. The principal has the current role of the key's owner, and those scopes of the key that this role includes.
   *
   * Rejects with ApiError `token_expired` for an expired key, `invalid_token` for any other problem, `unavailable` when the
   * database cannot be read.
   */
  verify(key: string): Promise<Principal>;
}

export interface ApiKeysOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly uses: CredentialUses;
  readonly randomBytes?: (size: number) => Uint8Array;
}

/** The hash to compare for an unknown id, so that timing does not reveal the id. No secret has this hash. */
const NO_HASH = Buffer.alloc(SECRET_BYTES);

export function createApiKeys(options: ApiKeysOptions): ApiKeys {
  const { database, clock, uses, randomBytes = systemRandomBytes } = options;

  async function create(
    caller: Principal,
    input: NewCredential,
    path: string,
    commit: Commit = (change) => database.transaction(change),
  ): Promise<CreatedApiKey> {
    refuseApps(caller);
    const now = clock();
    const details = problemsWithCredential(input, caller, now, path);
    if (details.length > 0) throw new ApiError('validation_failed', { details });
    const { org, userId } = caller;
    const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
    return commit(async (tx) => {
      const { name, expiresAt } = input;
      const scopes = scopesWithin(caller.role, input.scopes);
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
      return { ...row, key: apiKeyPrefix(row.id) + secret };
    });
  }

  async function revoke(caller: Principal, id: number, own = database): Promise<void> {
    const { org } = caller;
    await own.transaction(async (tx) => {
      // Checked before the change, since a key may revoke itself.
      const held = await holdRights(tx, caller);
      const ended = await revokeApiKey(tx, { org, id, now: clock() });
      if (!ended) return;
      const data = { name: ended.name, user_id: ended.userId };
      await recordChange(tx, held, { org, type: 'api_key.revoked', subjectId: id, data }, clock);
    });
  }

  async function verify(key: string): Promise<Principal> {
    const parts = parseApiKey(key);
    if (!parts) throw refusal();
    // The owner is not known yet, so each key waits for a connection on its own: a busy key does not delay others.
    const flow = { org: ':api-keys', caller: String(parts.id) };
    const row = await findUsableApiKey(boundTo(database, undefined, flow), { id: parts.id });
    const expected = row ? Buffer.from(row.secretHash, 'base64url') : NO_HASH;
    // Check the secret first: callers without it must not learn the key's state.
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
    message: 'The API key is unknown or no longer valid.',
  });
}
