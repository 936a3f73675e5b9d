/**
 * `node bench/janitor.ts [--rows 500000] [--seconds 20] [--database postgres://…]`: how long charges take while the janitor removes old idempotency
 * records, beside how long they take when it has nothing to do. On SQLite in a temporary directory, or on the database named, which should be
 * empty. The whole server, over HTTP, with one charge at a time.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { loadKeys } from '../src/auth/keys.ts';
import { hashPassword } from '../src/auth/passwords.ts';
import { systemClock } from '../src/clock.ts';
import { migrate, openDatabase } from '../src/db/open.ts';
import { loadRows } from '../src/db/queries/loading.ts';
import { installDemo } from '../src/demo/install.ts';
import { createSandbox } from '../src/payments/sandbox.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '500000' },
    seconds: { type: 'string', default: '20' },
    database: { type: 'string', default: '' },
  },
});
const rows = Number(values.rows);
const seconds = Number(values.seconds);
const directory = await mkdtemp(join(tmpdir(), 'portico-janitor-'));
const url = values.database || `file:${join(directory, 'janitor.db')}`;

await migrate(url);
const database = await openDatabase({ url });
await installDemo(database, hashPassword);
const app = await createApp({
  database,
  keys: await loadKeys({
    file: join(directory, 'keys.json'),
    createWhenMissing: true,
    clock: systemClock,
  }),
  clock: systemClock,
  logger: pino({ level: 'warn' }),
  publicUrl: 'http://localhost',
  production: false,
  trustProxy: 0,
  budget: { points: 1_000_000_000, perSecond: 1_000_000_000 },
  gateway: createSandbox({ database, clock: systemClock }),
});
await app.http.listen({ host: '127.0.0.1', port: 0 });
// A server that listens on a port has an address with one.
const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const authorization = `Bearer ${await signIn()}`;

await fill();
const idle = await chargeFor(() => false);
let sweeping = true;
const begun = performance.now();
const swept = app.janitor.sweep().finally(() => {
  sweeping = false;
});
const busy = await chargeFor(() => !sweeping);
const during = sweeping ? 'still removing when the measurement ended' : 'done meanwhile';
await swept;
const took = ((performance.now() - begun) / 1000).toFixed(1);
process.stdout.write(
  [
    `${database.engine}: ${rows} records removed in ${took} s (${during})`,
    `idle     ${describe(idle)}`,
    `removing ${describe(busy)}`,
    `p99 ${(quantile(busy, 0.99) / quantile(idle, 0.99)).toFixed(2)} times that of idle`,
    '',
  ].join('\n'),
);
await app.http.close();
await database.close();
await rm(directory, { recursive: true, force: true });

async function signIn(): Promise<string> {
  const response = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@acme.test', password: 'portico-demo' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

/** Records of two days ago, with outcomes as long as those of charges. */
async function fill(): Promise<void> {
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

/** Milliseconds of each charge, one after the other, until the time is up or the condition holds. */
async function chargeFor(isOver: () => boolean): Promise<number[]> {
  const durations: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && !isOver()) {
    const start = performance.now();
    const response = await fetch(`${origin}/v2/charges`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' }),
    });
    await response.text();
    if (response.status !== 201) throw new Error(`A charge was answered with ${response.status}.`);
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
