import { checked, type Runner, statement } from '../database.ts';
import { and, asc, eq } from '../drizzle/index.ts';
import type { ProductRow } from '../rows.ts';

const byId = statement<{ org: string; id: number }, readonly ProductRow[]>(
  'products.byId',
  ({ orm, tables: { products } }, p) =>
    orm
      .select()
      .from(products)
      .where(and(eq(products.id, p.id), eq(products.org, p.org))),
);

const byIds = statement<{ org: string; ids: readonly number[] }, readonly ProductRow[]>(
  'products.byIds',
  ({ orm, tables: { products }, dialect }, p) =>
    orm
      .select()
      .from(products)
      .where(and(dialect.anyOf(products.id, p.ids), checked(eq(products.org, p.org))))
      .orderBy(asc(products.id)),
);

const after = statement<{ org: string; afterId: number; limit: number }, readonly ProductRow[]>(
  'products.after',
  ({ orm, tables: { products }, dialect }, p) =>
    orm
      .select()
      .from(products)
      .where(dialect.inIndex([[products.org, p.org]], products.id, { after: p.afterId }))
      .orderBy(...dialect.orderInIndex([[products.org, p.org]], asc, products.id))
      .limit(p.limit),
);

const orgOf = statement<{ id: number }, readonly { org: string }[]>(
  'products.orgOf',
  ({ orm, tables: { products } }, p) =>
    orm.select({ org: products.org }).from(products).where(eq(products.id, p.id)),
);

/** The product with this id in this organisation. */
export async function findProduct(db: Runner, org: string, id: number): Promise<ProductRow | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** Those of the products that exist in this organisation, in order of id. */
export function findProducts(
  db: Runner,
  org: string,
  ids: readonly number[],
): Promise<readonly ProductRow[]> {
  return db.run(byIds, { org, ids });
}

/** Up to `limit` products with an id above `afterId` (0 for the first), in order of id. Ask for one more than a page. */
export function productsAfter(
  db: Runner,
  org: string,
  afterId: number,
  limit: number,
): Promise<readonly ProductRow[]> {
  return db.run(after, { org, afterId, limit });
}

/** The organisation of a product that the caller cannot see: separates 403 from 404. */
export async function orgOfProduct(db: Runner, id: number): Promise<string | undefined> {
  return (await db.run(orgOf, { id }))[0]?.org;
}
