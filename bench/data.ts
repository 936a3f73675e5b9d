import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKeys } from '../src/auth/keys.ts';
import { hashPassword } from '../src/auth/passwords.ts';
import { orders as demoOrders, users as demoUsers } from '../src/cli/demo/data.ts';
import { installDemo } from '../src/cli/demo/install.ts';
import { seed } from '../src/cli/demo/seed.ts';
import { loadConfig } from '../src/config.ts';
import { systemClock } from '../src/core/clock.ts';
import { migrate, openDatabase } from '../src/db/open.ts';

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
  remove(): Promise<void>;
}

/** Creates a database and keys in a new temporary folder. */
export async function prepareData(orders: number, onProgress: (orders: number) => void): Promise<BenchData> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const serverFile = join(folder, 'server', 'orders.db');
    const keysFile = join(folder, 'keys.json');
    await loadKeys({ file: keysFile, createWhenMissing: true, clock: systemClock });
    await fill(`file:${serverFile}`, orders, onProgress);
    return { ids: seededIds(orders), folder, serverFile, keysFile, remove };
  } catch (error) {
    await remove();
    throw error;
  }
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
