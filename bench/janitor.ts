/**
 * `npm run bench -- janitor`: compares the latency of charges while the janitor deletes expired idempotency records with their
 * latency while it is idle. Runs on SQLite in a temporary folder, or on the given database, which should be empty. One charge at a
 * time, over HTTP to a complete server.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hashPassword } from '../src/auth/passwords.ts';
import { installDemo } from '../src/cli/demo/install.ts';
import { loadConfig } from '../src/config.ts';
import type { Database } from '../src/db/database.ts';
import { migrate, openDatabase } from '../src/db/open.ts';
import { loadRows } from '../src/db/queries/shared/loading.ts';
import { type Cleanups, temporaryFolder } from './cleanups.ts';
import { signIn } from './client.ts';
import { listen } from './in-process.ts';
import { integer, readTexts } from './options.ts';

const USAGE = `npm run bench -- janitor [options]

  --rows <number>     expired records (500000)
  --seconds <number>  duration of the charges with and without the janitor (20)
  --database <url>    an empty database (SQLite in a temporary folder)
`;

/** @throws UsageError for an invalid option. */
export async function janitor(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { rows: '500000', seconds: '20', database: '' }, USAGE);
  const rows = integer('rows', values.rows, 1, 100_000_000);
  const seconds = integer('seconds', values.seconds, 1, 600);
  const folder = await temporaryFolder(cleanups);
  const url = values.database || `file:${join(folder, 'janitor.db')}`;
  await migrate(url);
  const database = await openDatabase({ ...loadConfig({}).database, url });
  cleanups.push(() => database.close());
  await installDemo(database, hashPassword);
  const { app, origin } = await listen(database, join(folder, 'keys.json'));
  cleanups.push(() => app.http.close());
  const charge = await chargesOf(origin);

  await fill(database, rows);
  const idle = await repeat(charge, seconds, () => false);
  let sweeping = true;
  const begun = performance.now();
  const swept = app.janitor.sweep().finally(() => {
    sweeping = false;
  });
  const busy = await repeat(charge, seconds, () => !sweeping);
  const during = sweeping
    ? 'not complete when the measurement ended'
    : 'complete before the measurement ended';
  await swept;
  const took = ((performance.now() - begun) / 1000).toFixed(1);
  process.stdout.write(
    [
      `${database.engine}: ${rows} records deleted in ${took} s (${during})`,
      `idle     ${describe(idle)}`,
      `deleting ${describe(busy)}`,
      `p99 is ${(quantile(busy, 0.99) / quantile(idle, 0.99)).toFixed(2)} times the idle p99`,
      '',
    ].join('\n'),
  );
}

/** Returns a function that creates a charge, each with a new idempotency key. */
async function chargesOf(origin: string): Promise<() => Promise<void>> {
  const authorization = `Bearer ${await signIn(origin)}`;
  return async () => {
    const response = await fetch(`${origin}/v2/charges`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' }),
    });
    await response.text();
    if (response.status !== 201) throw new Error(`The response to a charge has status ${response.status}.`);
  };
}

/** Inserts records that are two days old, with outcomes as long as those of charges. */
async function fill(database: Database, rows: number): Promise<void> {
  const before = new Date(Date.now() - 2 * 86_400_000);
  const outcome = JSON.stringify({ value: 'x'.repeat(400) });
  const size = 1000;
  for (let from = 0; from < rows; from += size) {
    const batch = Array.from({ length: Math.min(size, rows - from) }, (_, index) => ({
      org: 'acme',
      principal: 'user:1',
      mutation: 'createCharge',
      key: `old-${from + index}`,
      fingerprint: 'f'.repeat(43),
      status: 'done' as const,
      lockedUntil: before,
      outcome,
      createdAt: before,
    }));
    await database.transaction((tx) => loadRows(tx, 'idempotencyRecords', batch));
  }
}

/** Creates charges one after another until the time has passed or the condition holds. @returns milliseconds per charge. */
async function repeat(
  charge: () => Promise<void>,
  seconds: number,
  isOver: () => boolean,
): Promise<number[]> {
  const durations: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && !isOver()) {
    const start = performance.now();
    await charge();
    durations.push(performance.now() - start);
  }
  return durations;
}

function quantile(durations: readonly number[], share: number): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length * share)] ?? Number.NaN;
}

function describe(durations: readonly number[]): string {
  const [p50, p99] = [quantile(durations, 0.5), quantile(durations, 0.99)].map((each) => each.toFixed(1));
  return `${durations.length} charges, p50 ${p50} ms, p99 ${p99} ms`;
}
