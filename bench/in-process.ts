import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { type App, createApp } from '../src/app.ts';
import { loadKeys } from '../src/auth/keys.ts';
import { systemClock } from '../src/clock.ts';
import type { Database } from '../src/db/database.ts';
import { createSandbox } from '../src/payments/sandbox.ts';

/** More points than any benchmark uses up. */
const PLENTY = 1_000_000_000;

/** The whole server in this process, on a port that the system chooses. Closing it leaves the database open. */
export async function listen(
  database: Database,
  folder: string,
): Promise<{ readonly app: App; readonly origin: string }> {
  const app = await createApp({
    database,
    keys: await loadKeys({ file: join(folder, 'keys.json'), createWhenMissing: true, clock: systemClock }),
    clock: systemClock,
    logger: pino({ level: 'warn' }),
    publicUrl: 'http://localhost',
    production: false,
    trustProxy: 0,
    budget: { points: PLENTY, perSecond: PLENTY },
    // Whoever measures shares the event loop with the server, and nothing is to be turned away.
    overloadLag: PLENTY,
    gateway: createSandbox({ database, clock: systemClock }),
  });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  // A server that listens on a port has an address with one.
  return { app, origin: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` };
}
