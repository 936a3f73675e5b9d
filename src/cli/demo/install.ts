import { ApiError } from '../../core/errors.ts';
import { settleAll } from '../../core/promises.ts';
import type { Database } from '../../db/database.ts';
import { changeOrderCounts } from '../../db/queries/order-counts.ts';
import { listOrganisations } from '../../db/queries/organisations.ts';
import { continueIds, loadRows } from '../../db/queries/shared/loading.ts';
import { addWords } from '../../db/queries/shared/words.ts';
import { findUserByEmail } from '../../db/queries/users.ts';
import {
  DEMO_PASSWORD,
  documents,
  events,
  orderItems,
  orders,
  organisations,
  products,
  users,
} from './data.ts';

type HashPassword = (password: string) => Promise<string>;

/**
 * Fills a new database with the demo data, in one transaction. A database with an organisation is left unchanged, so
 * this may be called at every start, and by several instances at once.
 *
 * @returns whether this call installed the data.
 */
export async function installDemo(database: Database, hashPassword: HashPassword): Promise<boolean> {
  if (!(await isNew(database))) return false;
  // Before the transaction, which must not wait for anything but the database. The users share a published password, so they also share
  // its hash: each more would take a hundredth of the processor time of a start.
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const people = users.map((user) => ({ ...user, passwordHash }));
  const counted = orders.map(({ org, userId, status }) => ({ org, userId, status, by: 1 }));
  try {
    await database.transaction(async (tx) => {
      await loadRows(tx, 'organisations', organisations);
      await loadRows(tx, 'users', people);
      await loadRows(tx, 'products', products);
      await loadRows(tx, 'orders', orders);
      await loadRows(tx, 'orderItems', orderItems);
      await loadRows(tx, 'documents', documents);
      await settleAll([
        ...products.map((product) => addWords(tx, 'products', product)),
        ...documents.map((document) => addWords(tx, 'documents', document)),
      ]);
      await loadRows(tx, 'events', events);
      await changeOrderCounts(tx, counted);
      await continueIds(tx);
    });
    return true;
  } catch (error) {
    const wasFirst = !(error instanceof ApiError && error.code === 'conflict') || (await isNew(database));
    if (wasFirst) throw error;
    return false;
  }
}

/** Whether the database has the users of the demo data. */
export async function hasDemo(database: Database): Promise<boolean> {
  const [first] = users;
  return first !== undefined && (await findUserByEmail(database, first.email)) !== undefined;
}

async function isNew(database: Database): Promise<boolean> {
  return (await listOrganisations(database)).length === 0;
}
