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

/** Seeded orders that belong to one person: `src/cli/demo/seed.ts` makes a new one for every so many. */
const ORDERS_PER_USER = 100;

/** Rows that requests can ask for. All are of the organisation that the benchmark signs in to. */
export interface SeededIds {
  readonly orderIds: readonly number[];
  readonly userIds: readonly number[];
}

export interface BenchData {
  readonly ids: SeededIds;
  /** The folder, which nothing else uses. */
  readonly folder: string;
  /** Files of the database, which no process has open, and of the keys that sign tokens. */
  readonly serverFile: string;
  readonly keysFile: string;
  remove(): Promise<void>;
}

/** Makes a database in a new folder of the system's temporary files. */
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
    // Everything is in the one file then, and it can be copied.
    await database.close();
  }
}

/** Ids go on from those of the demo data. */
function seededIds(orders: number): SeededIds {
  const after = (last: number, count: number) => Array.from({ length: count }, (_, n) => last + 1 + n);
  return {
    orderIds: after(demoOrders.length, orders),
    userIds: after(demoUsers.length, Math.floor(orders / ORDERS_PER_USER)),
  };
}
