#!/usr/bin/env node
/** `npm run seed -- --orders 100000`: fills the database with orders, for measuring. */
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { hashPassword } from '../auth/passwords.ts';
import { loadConfig } from '../config.ts';
import { migrate, openDatabase } from '../db/open.ts';
import { installDemo } from '../demo/install.ts';
import { seed } from '../demo/seed.ts';
import { reasonOf } from '../failure.ts';

const USAGE = `Adds orders to the database of DATABASE_URL (file:data/portico.db when unset).

  npm run seed -- --orders <number>

  --orders <number>  how many, each with 3 items and its events; every 100 get a user of their own
  --help             shows this

A database that is new gets the demo data first.
`;

const MOST_ORDERS = 10_000_000;

/** Exit codes: 0 done, 1 failed, 2 called wrongly. */
class UsageError extends Error {}

function ordersWanted(args: readonly string[]): number | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const orders = Number(values.orders);
  if (!/^\d+$/.test(values.orders ?? '') || orders < 1 || orders > MOST_ORDERS) {
    throw new UsageError(`--orders must be a whole number from 1 to ${MOST_ORDERS}.`);
  }
  return orders;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { orders: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function main(args: readonly string[]): Promise<void> {
  const orders = ordersWanted(args);
  if (orders === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const { databaseUrl, databasePool } = loadConfig();
  await migrate(databaseUrl);
  const database = await openDatabase({ url: databaseUrl, poolSize: databasePool });
  const bar = new SingleBar({ format: '[{bar}] {value} of {total} orders, {eta} s left' });
  try {
    await installDemo(database, hashPassword);
    bar.start(orders, 0);
    await seed({ database, orders, onProgress: (done) => bar.update(done) });
    bar.stop();
    process.stdout.write(`Added ${orders} orders.\n`);
  } finally {
    bar.stop();
    await database.close();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const message = reasonOf(error);
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${message}\n\n${USAGE}` : `The orders could not be added: ${message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
