import DataLoader from 'dataloader';
import { effectiveTypes } from '../../src/auth/event-types.ts';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Database } from '../../src/db/database.ts';
import { countUnreadEvents } from '../../src/db/queries/events.ts';
import { itemsOfOrders } from '../../src/db/queries/order-items.ts';
import { fewOrdersOfUsers } from '../../src/db/queries/order-lists.ts';
import { findOrders } from '../../src/db/queries/orders.ts';
import { findProducts } from '../../src/db/queries/products.ts';
import { findUsers } from '../../src/db/queries/users.ts';
import type { OrderItemRow, OrderRow, ProductRow, UserRow } from '../../src/db/rows.ts';
import { ChargeLoaders } from '../charge/loaders.ts';
import { DocumentLoaders } from '../document/loaders.ts';

/** Some orders of a person from one end of their list, which is in order of creation. */
interface OrdersOfUser {
  readonly userId: number;
  readonly end: 'first' | 'last';
  readonly size: number;
  /** Whether they come with their items. */
  readonly whole: boolean;
}

/**
 * Fetches what the fields of one request ask for in the same tick with one statement per kind. A loader is made when it
 * is first used, since most requests use none. It sees the rows of one organisation only.
 */
export class Loaders {
  readonly #database: Database;
  readonly #principal: Principal | null;
  readonly #org: string;
  #user: DataLoader<number, UserRow> | undefined;
  #unread: DataLoader<UserRow, number, string> | undefined;
  #order: DataLoader<number, OrderRow | null> | undefined;
  #product: DataLoader<number, ProductRow> | undefined;
  #itemsOfOrder: DataLoader<number, readonly OrderItemRow[]> | undefined;
  #ordersOfUser: DataLoader<OrdersOfUser, readonly OrderRow[], string> | undefined;
  #documents: DocumentLoaders | undefined;
  #charges: ChargeLoaders | undefined;

  /** Without a principal no row belongs to the caller, and no loader finds any. */
  constructor(database: Database, principal: Principal | null) {
    this.#database = database;
    this.#principal = principal;
    this.#org = principal?.org ?? '';
  }

  /** Has everything fetched again from now on: a change has made what was loaded before it obsolete. */
  forget(): void {
    this.#user = undefined;
    this.#unread = undefined;
    this.#order = undefined;
    this.#product = undefined;
    this.#itemsOfOrder = undefined;
    this.#ordersOfUser = undefined;
    this.#documents = undefined;
    this.#charges = undefined;
  }

  /** What has to do with documents. It depends on who is calling, so somebody must. */
  get documents(): DocumentLoaders {
    if (!this.#principal) throw new ApiError('unauthenticated');
    this.#documents ??= new DocumentLoaders(this.#database, this.#principal);
    return this.#documents;
  }

  /** What was charged for orders. */
  get charges(): ChargeLoaders {
    this.#charges ??= new ChargeLoaders(this.#database, this.#org);
    return this.#charges;
  }

  /** People by id. A missing one is an error: ids come from rows that refer to it. */
  get user(): DataLoader<number, UserRow> {
    this.#user ??= new DataLoader(async (ids) =>
      byId('user', ids, await findUsers(this.#database, this.#org, ids)),
    );
    return this.#user;
  }

  /** How many events people have not read, up to a bound. Only the caller is told, so that it is one person's count at most. */
  get unread(): DataLoader<UserRow, number, string> {
    const types = this.#principal && effectiveTypes(this.#principal, null);
    this.#unread ??= new DataLoader(
      (people) =>
        Promise.all(
          people.map(({ org, id, role, lastReadEventId }) =>
            countUnreadEvents(this.#database, { org, readerId: id, role }, lastReadEventId, types),
          ),
        ),
      { cacheKeyFn: ({ id, role, lastReadEventId }) => `${id}:${role}:${lastReadEventId}` },
    );
    return this.#unread;
  }

  /** Orders by id, null for one that was deleted. */
  get order(): DataLoader<number, OrderRow | null> {
    this.#order ??= new DataLoader(async (ids) => {
      const found = new Map((await findOrders(this.#database, this.#org, ids)).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id) ?? null);
    });
    return this.#order;
  }

  /** Products by id. A missing one is an error, as for people. */
  get product(): DataLoader<number, ProductRow> {
    this.#product ??= new DataLoader(async (ids) =>
      byId('product', ids, await findProducts(this.#database, this.#org, ids)),
    );
    return this.#product;
  }

  /** The items of an order that the caller was allowed to see, in their order. */
  get itemsOfOrder(): DataLoader<number, readonly OrderItemRow[]> {
    this.#itemsOfOrder ??= new DataLoader(async (ids) => {
      const items = Map.groupBy(await itemsOfOrders(this.#database, ids), (item) => item.orderId);
      return ids.map((id) => items.get(id) ?? []);
    });
    return this.#itemsOfOrder;
  }

  /** Orders of people by time of creation, from either end. One statement for each kind asked for. */
  get ordersOfUser(): DataLoader<OrdersOfUser, readonly OrderRow[], string> {
    this.#ordersOfUser ??= new DataLoader((wanted) => this.#loadOrders(wanted), {
      cacheKeyFn: ({ userId, end, size, whole }) => `${userId}:${end}:${size}:${whole}`,
    });
    return this.#ordersOfUser;
  }

  async #loadOrders(wanted: readonly OrdersOfUser[]): Promise<(readonly OrderRow[])[]> {
    const results = new Map<OrdersOfUser, readonly OrderRow[]>();
    const groups = Map.groupBy(wanted, ({ end, size, whole }) => `${end}:${size}:${whole}`);
    await Promise.all(
      [...groups.values()].map(async (group) => {
        const [{ end, size, whole }] = group as [OrdersOfUser];
        const which = end === 'first' ? 'oldest' : 'newest';
        const userIds = group.map(({ userId }) => userId);
        const rows = await fewOrdersOfUsers(this.#database, this.#org, userIds, which, size, whole);
        const rowsOf = Map.groupBy(rows, (row) => row.userId);
        for (const one of group) {
          const found = rowsOf.get(one.userId) ?? [];
          results.set(one, end === 'first' ? found : found.toReversed());
        }
      }),
    );
    return wanted.map((one) => results.get(one) ?? []);
  }
}

function byId<Row extends { readonly id: number }>(
  kind: string,
  ids: readonly number[],
  rows: readonly Row[],
): (Row | Error)[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id) ?? new Error(`There is no ${kind} ${id} to resolve a reference to`));
}
