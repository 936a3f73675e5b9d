import { asStored, stored } from '../database.ts';
import { and, eq, getTableColumns, isNull } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { ApiKeyRow } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { type OwnedCredential, touchIn } from './credentials.ts';
import { countIn, findIn, isRow, ownerIn, rowsAfterIn } from './owned.ts';

/** A key without the hash of its secret, which only authentication reads. */
export type VisibleApiKey = Omit<ApiKeyRow, 'secretHash'>;

/** What is needed to authenticate an API key. */
export interface ApiKeyOfOwner extends OwnedCredential {
  readonly secretHash: string;
}

type NewApiKey = Pick<
  ApiKeyRow,
  'org' | 'userId' | 'name' | 'secretHash' | 'scopes' | 'createdAt' | 'expiresAt'
>;

function visible(apiKeys: Tables['apiKeys']) {
  const { secretHash: _, ...columns } = getTableColumns(apiKeys);
  return columns;
}

/** The key with this id, unless it was revoked or its owner was removed. The caller must check whether it has expired. */
export const findUsableApiKey = read.first<{ id: number }, ApiKeyOfOwner>(
  'apiKeys.usable',
  ({ orm, tables: { apiKeys, users } }, p) =>
    orm
      .select({
        id: apiKeys.id,
        secretHash: apiKeys.secretHash,
        scopes: apiKeys.scopes,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
        userId: users.id,
        org: users.org,
        role: users.role,
      })
      .from(apiKeys)
      // Keys of a person who moved to another organisation are not valid there.
      .innerJoin(users, and(eq(users.id, apiKeys.userId), eq(users.org, apiKeys.org)))
      .where(and(eq(apiKeys.id, p.id), isNull(apiKeys.revokedAt), isNull(users.removedAt))),
);

export const insertApiKey = write.only<NewApiKey, VisibleApiKey>(
  'apiKeys.insert',
  ({ orm, tables: { apiKeys } }, p) =>
    orm
      .insert(apiKeys)
      .values(stored(apiKeys, p, 'org', 'userId', 'name', 'secretHash', 'scopes', 'createdAt', 'expiresAt'))
      .returning(visible(apiKeys)),
);

/** Revokes a key. Returns it to exactly one of several concurrent callers. */
export const revokeApiKey = write.first<{ org: string; id: number; now: Date }, VisibleApiKey>(
  'apiKeys.revoke',
  ({ orm, tables: { apiKeys } }, p) =>
    orm
      .update(apiKeys)
      .set({ revokedAt: asStored(p.now, apiKeys.revokedAt) })
      .where(isRow(apiKeys, p, isNull(apiKeys.revokedAt)))
      .returning(visible(apiKeys)),
);

/** The key with this id in this organisation, even if it was revoked or has expired. */
export const findApiKey = findIn('apiKeys', { columns: visible });

/** Up to `limit` keys that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export const apiKeysAfter = rowsAfterIn('apiKeys', { columns: visible });

export const orgOfApiKey = ownerIn('apiKeys');

export const touchApiKey = touchIn('apiKeys');

/** The number of keys of an organisation that were not revoked. */
export const countApiKeys = countIn('apiKeys', { only: ({ revokedAt }) => [isNull(revokedAt)] });
