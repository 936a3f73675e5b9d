import { recordChange } from '../../src/auth/changes.ts';
import { changesNothing } from '../../src/core/changes.ts';
import { ApiError, invalidValue } from '../../src/core/errors.ts';
import { readUnitPrice, toMajorUnits } from '../../src/core/money.ts';
import { requireVersion, type Versions } from '../../src/core/versions.ts';
import type { Transaction } from '../../src/db/database.ts';
import {
  archiveProduct as archive,
  insertProduct,
  products,
  updateProduct,
} from '../../src/db/queries/products.ts';
import type { ProductRow } from '../../src/db/rows.ts';
import type {
  CreateProductInput,
  MutationArchiveProductArgs,
  MutationUpdateProductArgs,
  UpdateProductInput,
} from '../../src/generated/resolvers.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { absence, requireId } from '../shared/lookup.ts';

/** Adds a product and records the event. @throws ApiError `validation_failed`. */
export async function createProduct(
  context: Context,
  { name, unitPrice, currency }: CreateProductInput,
): Promise<ProductRow> {
  const caller = callerOf(context);
  const price = requireUnitPrice(unitPrice, currency);
  return context.work.commit(async (tx) => {
    const now = context.clock();
    const product = await insertProduct(tx, { org: caller.org, name, unitPrice: price, currency, now });
    await recordChange(tx, caller, { type: 'product.created', ...aboutProduct(product) }, context.clock);
    return product;
  });
}

/**
 * Changes a product. An update without a difference creates no new version.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`, `validation_failed`.
 */
export async function changeProduct(
  context: Context,
  { id, input, ifVersion: versions = null }: MutationUpdateProductArgs,
): Promise<ProductRow> {
  const caller = callerOf(context);
  const { org } = caller;
  const productId = requireId(id);
  const write = async (tx: Transaction): Promise<ProductRow> => {
    const present = await requireProduct(tx, org, productId, versions);
    const change = changeOf(present, input, context.clock());
    if (changesNothing(present, change)) return present;
    const product = await updateProduct(tx, present, change, context.clock());
    // The product has changed since it was read: try again.
    if (!product) return write(tx);
    for (const type of eventsOf(present, product)) {
      await recordChange(tx, caller, { type, ...aboutProduct(product) }, context.clock);
    }
    return product;
  };
  return context.work.commit(write);
}

/** The values after a change: the present ones, unless the input has others. @throws ApiError `validation_failed`. */
function changeOf(present: ProductRow, input: UpdateProductInput, now: Date) {
  const { name, unitPrice, archived } = input;
  const currency = input.currency ?? present.currency;
  if (unitPrice == null && currency !== present.currency) {
    throw invalidValue('input.currency', 'can only be changed together with the price');
  }
  return {
    name: name ?? present.name,
    unitPrice: unitPrice == null ? present.unitPrice : requireUnitPrice(unitPrice, currency),
    currency,
    archivedAt: archivedAtAfter(present, archived, now),
  } satisfies Record<Exclude<keyof UpdateProductInput, 'archived'> | 'archivedAt', unknown>;
}

/** When the product was archived, after a change. A product that is already archived keeps the time. */
function archivedAtAfter({ archivedAt }: ProductRow, archived: UpdateProductInput['archived'], now: Date) {
  if (archived === true) return archivedAt ?? now;
  return archived === false ? null : archivedAt;
}

/** The types of the events of a change. */
function* eventsOf(before: ProductRow, { name, unitPrice, currency, archivedAt }: ProductRow) {
  if (!changesNothing(before, { name, unitPrice, currency })) yield 'product.updated' as const;
  if (before.archivedAt === null && archivedAt !== null) yield 'product.archived' as const;
  if (before.archivedAt !== null && archivedAt === null) yield 'product.restored' as const;
}

/**
 * Archives a product. Idempotent: a repetition writes no second event.
 *
 * @throws ApiError `not_found`, `forbidden`, `precondition_failed`.
 */
export async function archiveProduct(
  context: Context,
  { id, ifVersion: versions = null }: MutationArchiveProductArgs,
): Promise<ProductRow> {
  const caller = callerOf(context);
  const { org } = caller;
  const productId = requireId(id);
  return context.work.commit(async (tx) => {
    const product = await archive(tx, { org, id: productId, versions, now: context.clock() });
    if (!product) {
      const present = await requireProduct(tx, org, productId, null);
      if (present.archivedAt === null) throw new ApiError('precondition_failed');
      return present;
    }
    await recordChange(tx, caller, { type: 'product.archived', ...aboutProduct(product) }, context.clock);
    return product;
  });
}

/** The data of an event about a product. */
const aboutProduct = ({ id, org, name, unitPrice, currency }: ProductRow) => ({
  org,
  subjectId: id,
  data: { name, unit_price: toMajorUnits(unitPrice, currency), currency },
});

/** @throws ApiError `not_found`, `forbidden`, `precondition_failed`. */
async function requireProduct(
  tx: Transaction,
  org: string,
  id: number,
  versions: Versions,
): Promise<ProductRow> {
  const product = await products.find(tx, org, id);
  if (!product) throw await absence(tx, org, id, products);
  requireVersion(product, versions);
  return product;
}

/** @throws ApiError `validation_failed`. */
function requireUnitPrice(unitPrice: string, currency: string): number {
  const read = readUnitPrice(unitPrice, currency, 'input.');
  if (typeof read === 'number') return read;
  throw invalidValue(read.path, read.message);
}
