import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, eq, getTableColumns, isNull } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { ApiKeyRow } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { type OwnedCredential, touchIn } from './credentials.ts';
import { onlyRow } from './only-row.ts';
import { ownerIn } from './owner.ts';

/** A key without the hash of its secret, which only authentication reads. */
export type VisibleApiKey = Omit<ApiKeyRow, 'secretHash'>;

/** What is needed to authenticate an API key. */
export interface ApiKeyOfOwner extends OwnedCredential {
  readonly secretHash: string;
}

interface NewApiKey {
  readonly org: string;
  readonly userId: number;
  readonly name: string;
  readonly secretHash: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

function visible(apiKeys: Tables['apiKeys']) {
  const { secretHash: _, ...columns } = getTableColumns(apiKeys);
  return columns;
}

const byId = statement<{ org: string; id: number }, readonly VisibleApiKey[]>(
  'apiKeys.byId',
  ({ orm, tables: { apiKeys } }, p) =>
    orm
      .select(visible(apiKeys))
      .from(apiKeys)
      .where(and(eq(apiKeys.id, p.id), eq(apiKeys.org, p.org))),
);

const after = listStatement<{ org: string; fromId: number; limit: number }, readonly VisibleApiKey[]>(
  'apiKeys.after',
  ({ orm, tables: { apiKeys }, dialect }, p) =>
    orm
      .select(visible(apiKeys))
      .from(apiKeys)
      .where(dialect.inIndex([[apiKeys.org, p.org]], apiKeys.id, { after: p.fromId }))
      .orderBy(...dialect.orderInIndex([[apiKeys.org, p.org]], asc, apiKeys.id))
      .limit(p.limit),
);

const usable = statement<{ id: number }, readonly ApiKeyOfOwner[]>(
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

const insert = statement<NewApiKey, readonly VisibleApiKey[]>(
  'apiKeys.insert',
  ({ orm, tables: { apiKeys } }, p) =>
    orm
      .insert(apiKeys)
      .values({
        org: p.org,
        userId: p.userId,
        name: p.name,
        secretHash: p.secretHash,
        scopes: p.scopes,
        createdAt: p.createdAt,
        expiresAt: asStored(p.expiresAt, apiKeys.expiresAt),
      })
      .returning(visible(apiKeys)),
);

const revoke = statement<{ org: string; id: number; now: Date }, readonly VisibleApiKey[]>(
  'apiKeys.revoke',
  ({ orm, tables: { apiKeys } }, p) =>
    orm
      .update(apiKeys)
      .set({ revokedAt: asStored(p.now, apiKeys.revokedAt) })
      .where(and(eq(apiKeys.id, p.id), eq(apiKeys.org, p.org), isNull(apiKeys.revokedAt)))
      .returning(visible(apiKeys)),
);

/** The key with this id in this organisation, even if it was revoked or has expired. */
export async function findApiKey(db: Runner, org: string, id: number): Promise<VisibleApiKey | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** Up to `limit` keys that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export function apiKeysAfter(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly VisibleApiKey[]> {
  return db.run(after[way], { org, fromId, limit });
}

export const orgOfApiKey = ownerIn('apiKeys');

/** The key with this id, unless it was revoked or its owner was removed. The caller must check whether it has expired. */
export async function findUsableApiKey(db: Runner, id: number): Promise<ApiKeyOfOwner | undefined> {
  return (await db.run(usable, { id }))[0];
}

export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<VisibleApiKey> {
  return onlyRow(await tx.run(insert, key));
}

/** Revokes a key. Returns it to exactly one of several concurrent callers. */
export async function revokeApiKey(
  tx: Transaction,
  org: string,
  id: number,
  now: Date,
): Promise<VisibleApiKey | undefined> {
  return (await tx.run(revoke, { org, id, now }))[0];
}

export const touchApiKey = touchIn('apiKeys');
