import { join } from 'node:path';
import { createKeyFile } from '../src/auth/key-file.ts';
import { hashPassword } from '../src/auth/passwords.ts';
import { orders as demoOrders, users as demoUsers } from '../src/cli/demo/data.ts';
import { installDemo } from '../src/cli/demo/install.ts';
import { seed } from '../src/cli/demo/seed.ts';
import { loadConfig } from '../src/config.ts';
import { migrate, openDatabase } from '../src/db/open.ts';
import { type Cleanups, temporaryFolder } from './cleanups.ts';
import { createProgress, type Progress } from './progress.ts';

/** Seeded orders per user: `src/cli/demo/seed.ts` creates a new user after this many. */
const ORDERS_PER_USER = 100;

/** Ids of rows that requests can read. All rows belong to the organisation that the benchmark signs in to. */
export interface SeededIds {
  readonly orderIds: readonly number[];
  readonly userIds: readonly number[];
}

export interface BenchData {
  readonly ids: SeededIds;
  /** A temporary folder for this run alone. */
  readonly folder: string;
  /** The database file, which no process has open, and the file of the keys that sign tokens. */
  readonly serverFile: string;
  readonly keysFile: string;
}

/** Creates a database and keys in a new temporary folder, and a progress display. The cleanups remove both. */
export async function prepareData(
  orders: number,
  cleanups: Cleanups,
): Promise<{ readonly data: BenchData; readonly progress: Progress }> {
  const progress = createProgress(cleanups);
  const folder = await temporaryFolder(cleanups);
  const serverFile = join(folder, 'server', 'orders.db');
  const keysFile = await createKeys(folder);
  await fill(`file:${serverFile}`, orders, (done) => progress.show(`${done} of ${orders} orders`));
  return { data: { ids: seededIds(orders), folder, serverFile, keysFile }, progress };
}

/** Creates the file of the keys that sign tokens. */
export async function createKeys(folder: string): Promise<string> {
  const file = join(folder, 'keys.json');
  await createKeyFile(file);
  return file;
}

/** Migrates a database and fills it with the demo data and this many orders. */
export async function fill(url: string, orders: number, onProgress: (orders: number) => void): Promise<void> {
  await migrate(url);
  const database = await openDatabase({ ...loadConfig({}).database, url });
  try {
    await installDemo(database, hashPassword);
    await seed({ database, orders, onProgress });
  } finally {
    // Closing moves everything into the database file, which can then be copied.
    await database.close();
  }
}

/** The seeded ids follow those of the demo data. */
function seededIds(orders: number): SeededIds {
  const after = (last: number, count: number) => Array.from({ length: count }, (_, n) => last + 1 + n);
  return {
    orderIds: after(demoOrders.length, orders),
    userIds: after(demoUsers.length, Math.floor(orders / ORDERS_PER_USER)),
  };
}
