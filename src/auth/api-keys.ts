import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { BoundDatabase } from '../db/bound.ts';
import { apiKeyRows, findUsableApiKey, insertApiKey, type VisibleApiKey } from '../db/queries/credentials.ts';
import { type Commits, credentialExpired, recordChange } from './changes.ts';
import { type NewCredential, OwnedCredentials } from './owned-credentials.ts';
import type { Principal } from './policy.ts';
import { hasHash, hashSecret, newSecret, SECRET_PATTERN } from './random-secrets.ts';

/**
 * The format of an API key. The id is readable, so that the row can be found by its primary key and people can distinguish keys. An id
 * of 15 digits is an exact number.
 */
const SHAPE = new RegExp(`^pk_(?<id>[1-9][0-9]{0,14})_(?<secret>${SECRET_PATTERN})$`);

/** The prefix of the key with this id. */
export const apiKeyPrefix = (id: number): string => `pk_${id}_`;

/** Splits a key into its parts; undefined for a text that cannot be a key. */
export function parseApiKey(text: string): { readonly id: number; readonly secret: string } | undefined {
  const { id, secret } = SHAPE.exec(text)?.groups ?? {};
  return id === undefined || secret === undefined ? undefined : { id: Number(id), secret };
}

/** A new key, with its secret, which is shown only once. */
export type CreatedApiKey = VisibleApiKey & { readonly key: string };

/**
 * API keys: long-lived credentials of machines. A key acts for the person who created it and never has more rights than that
 * person currently has, since each use reads the person as well.
 */
export class ApiKeys extends OwnedCredentials {
  protected readonly kind = 'api_key';
  protected readonly revoked = 'api_key.revoked';
  protected readonly rows = apiKeyRows;
  protected readonly maximum = { count: LIMITS.apiKeys, name: 'API keys' };

  /**
   * Creates a key for the caller.
   *
   * @param work runs the change.
   * @throws ApiError `validation_failed` naming each invalid value, `conflict` when the organisation has the maximum number of keys, and the errors of `recordChange`.
   */
  async create(caller: Principal, input: NewCredential, work: Commits): Promise<CreatedApiKey> {
    const secret = newSecret();
    const columns = this.columnsOf(caller, input, { secretHash: hashSecret(secret) });
    return work.commit(async (tx) => {
      await this.requireBelowMaximum(tx, columns.org);
      const row = await insertApiKey(tx, columns);
      const { org, name, scopes, expiresAt } = columns;
      const data = { name, scopes, expires_at: expiresAt?.toISOString() ?? null };
      const event = { org, type: 'api_key.created', subjectId: row.id, data } as const;
      await recordChange(tx, caller, event, this.options.clock);
      return { ...row, key: apiKeyPrefix(row.id) + secret };
    });
  }

  /**
   * Verifies a key. The principal has the current role of the key's owner, and those scopes of the key that this role includes.
   *
   * Rejects with ApiError `token_expired` for an expired key, `invalid_token` for any other problem, `unavailable` when the
   * database cannot be read.
   */
  async verify(key: string): Promise<Principal> {
    const { database, clock } = this.options;
    const parts = parseApiKey(key);
    if (!parts) throw refusal();
    // The owner is not known yet, so each key waits for a connection on its own: a busy key does not delay others.
    const flow = { org: ':api-keys', caller: String(parts.id) };
    const row = await findUsableApiKey(new BoundDatabase(database, undefined, flow), { id: parts.id });
    // Check the secret first: callers without it must not learn the key's state, or whether there is a key with this id.
    if (!hasHash(parts.secret, row?.secretHash) || !row) throw refusal();
    const now = clock();
    if (row.expiresAt && row.expiresAt <= now) {
      throw credentialExpired({ kind: 'api_key' });
    }
    return this.admit(row, now);
  }
}

const refusal = () =>
  new ApiError('invalid_token', { message: 'The API key is unknown or no longer valid.' });
