import { and, eq, getTableColumns, isNull } from '../drizzle/index.ts';
import { read } from '../query.ts';
import type { ApiKeyRow } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { type CredentialRows, countUsableIn, type OwnedCredential, touchIn } from './credentials.ts';
import { endIn, insertIn } from './shared/changing.ts';
import { findIn, ownerIn, rowsAfterIn } from './shared/owned.ts';

/** A key without the hash of its secret, which only authentication reads. */
export type VisibleApiKey = Omit<ApiKeyRow, 'secretHash'>;

/** What is needed to authenticate an API key. */
export interface ApiKeyOfOwner extends OwnedCredential {
  readonly secretHash: string;
}

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

export const insertApiKey = insertIn(
  'apiKeys',
  ['org', 'userId', 'name', 'secretHash', 'scopes', 'createdAt', 'expiresAt'],
  { columns: visible },
);

/** The key with this id in this organisation, even if it was revoked or has expired. */
export const findApiKey = findIn('apiKeys', { columns: visible });
export const apiKeysAfter = rowsAfterIn('apiKeys', { columns: visible });
export const orgOfApiKey = ownerIn('apiKeys');

export const apiKeyRows: CredentialRows = {
  revoke: endIn('apiKeys.revoke', 'apiKeys', 'revokedAt', visible),
  touch: touchIn('apiKeys'),
  countUsable: countUsableIn('apiKeys'),
};
