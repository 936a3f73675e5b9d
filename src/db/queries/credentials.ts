/** The common part of the statements of API keys and client certificates. */
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Role } from '../../core/roles.ts';
import { and, eq, isNull, lte, or } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { ApiKeyRow } from '../rows.ts';
import { asStored } from '../statement.ts';

/** What is needed of a credential to authenticate its holder, with the current role of its owner. */
export interface OwnedCredential
  extends Pick<ApiKeyRow, 'id' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'userId' | 'org'> {
  readonly role: Role;
}

/** The columns that {@link touchIn} needs. The types of the two tables differ otherwise. */
type Used = PgTable & { readonly id: PgColumn; readonly lastUsedAt: PgColumn };

/** Declares a query that updates when a credential was last used, unless another instance has done so after `unlessSince`. */
export const touchIn = (name: 'apiKeys' | 'clientCertificates') =>
  write.run<{ id: number; now: Date; unlessSince: Date }>(`${name}.touch`, ({ orm, tables }, p) => {
    const table: Used = tables[name];
    const { id, lastUsedAt } = table;
    return orm
      .update(table)
      .set({ lastUsedAt: asStored(p.now, lastUsedAt) })
      .where(and(eq(id, p.id), or(isNull(lastUsedAt), lte(lastUsedAt, asStored(p.unlessSince, lastUsedAt)))));
  });
