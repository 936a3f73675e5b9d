import { LIMITS } from '../../core/limits.ts';
import { tenantRow, versioned } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { literal } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

export type Products = ReturnType<typeof define>;

export function define(v: Vocabulary, { organisations }: Accounts) {
  const products = v.table(
    'products',
    {
      ...tenantRow(v, organisations),
      name: v.text('name').notNull(),
      unitPrice: v.integer('unit_price').notNull(),
      currency: v.text('currency').notNull(),
      ...versioned(v),
      /** Archived products are kept for the orders that contain them. */
      archivedAt: v.timestamp('archived_at'),
    },
    (t) => [
      ...v.tenantKey('products_pkey', t),
      v.index('products_active').on(t.org, t.id, t.archivedAt).where(sql`${t.archivedAt} is null`),
      v.index('products_archived').on(t.org, t.id, t.archivedAt).where(sql`${t.archivedAt} is not null`),
      v.check('products_unit_price_check', sql`${t.unitPrice} between 0 and ${literal(LIMITS.unitPrice)}`),
      v.check('products_currency_check', sql`length(${t.currency}) = 3`),
    ],
  );

  return { products };
}
