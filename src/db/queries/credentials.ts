/** The common part of the statements of API keys and client certificates. */

import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Role } from '../../core/roles.ts';
import type { Transaction } from '../database.ts';
import { and, count, eq, gt, isNull, lte, or } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { ApiKeyRow } from '../rows.ts';

/** What is needed of a credential to authenticate its holder, with the current role of its owner. */
export interface OwnedCredential
  extends Pick<ApiKeyRow, 'id' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'userId' | 'org'> {
  readonly role: Role;
}

/** The statements that both kinds of credentials have. */
export interface CredentialRows {
  /** Revokes a row. Returns undefined if it was revoked before. */
  revoke(
    tx: Transaction,
    which: { org: string; id: number; now: Date },
  ): Promise<{ readonly name: string; readonly userId: number } | undefined>;
  readonly touch: ReturnType<typeof touchIn>;
  readonly countUsable: ReturnType<typeof countUsableIn>;
}

/** The columns that the two tables have in common. Their types differ otherwise. */
type Owned = PgTable &
  Readonly<Record<'id' | 'org' | 'userId' | 'expiresAt' | 'revokedAt' | 'lastUsedAt', PgColumn>>;

type Name = 'apiKeys' | 'clientCertificates';

/** Declares a query that updates when a credential was last used, unless another instance has done so after `unlessSince`. */
export const touchIn = (name: Name) =>
  write.run<{ id: number; now: Date; unlessSince: Date }>(`${name}.touch`, ({ orm, tables }, p) => {
    const table: Owned = tables[name];
    const { id, lastUsedAt } = table;
    return orm
      .update(table)
      .set({ lastUsedAt: p.now })
      .where(and(eq(id, p.id), or(isNull(lastUsedAt), lte(lastUsedAt, p.unlessSince))));
  });

/** Declares a query for the number of an organisation's credentials that can be used: neither revoked nor expired, and of a present person. */
export const countUsableIn = (name: Name) =>
  read.only<{ org: string; now: Date }, { rows: number }>(`${name}.countUsable`, ({ orm, tables }, p) => {
    const table: Owned = tables[name];
    const { users } = tables;
    const { org, userId, revokedAt, expiresAt } = table;
    return orm
      .select({ rows: count() })
      .from(table)
      .innerJoin(users, and(eq(users.id, userId), eq(users.org, org), isNull(users.removedAt)))
      .where(and(eq(org, p.org), isNull(revokedAt), or(isNull(expiresAt), gt(expiresAt, p.now))));
  });
