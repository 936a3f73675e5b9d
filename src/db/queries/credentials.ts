/** What the statements of API keys and client certificates have in common. */
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Role } from '../../core/roles.ts';
import { asStored, statement, type Transaction } from '../database.ts';
import { and, eq, isNull, lte, or } from '../drizzle/index.ts';

/** What has to be known of a credential to let its holder in, with its owner as that person is now. */
export interface OwnedCredential {
  readonly id: number;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly userId: number;
  readonly org: string;
  readonly role: Role;
}

/** The columns of both tables that {@link touchIn} needs. Their types differ, and this is enough here. */
type Used = PgTable & { readonly id: PgColumn; readonly lastUsedAt: PgColumn };

/** Writes when a credential was last used, unless another instance has done so since a moment. */
export function touchIn(
  name: 'apiKeys' | 'clientCertificates',
): (tx: Transaction, id: number, now: Date, unlessSince: Date) => Promise<void> {
  const touch = statement<{ id: number; now: Date; unlessSince: Date }, unknown>(
    `${name}.touch`,
    ({ orm, tables }, p) => {
      const table: Used = tables[name];
      const { id, lastUsedAt } = table;
      return orm
        .update(table)
        .set({ lastUsedAt: asStored(p.now, lastUsedAt) })
        .where(
          and(eq(id, p.id), or(isNull(lastUsedAt), lte(lastUsedAt, asStored(p.unlessSince, lastUsedAt)))),
        );
    },
  );
  return async (tx, id, now, unlessSince) => {
    await tx.run(touch, { id, now, unlessSince });
  };
}
