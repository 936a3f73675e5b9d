import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { readApi } from '../src/api.ts';
import { type App, createApp } from '../src/app.ts';
import { loadKeys } from '../src/auth/keys.ts';
import { loadConfig } from '../src/config.ts';
import { systemClock } from '../src/core/clock.ts';
import type { Database } from '../src/db/database.ts';
import { createSandbox } from '../src/payments/sandbox.ts';
import { PLENTY, PUBLIC_URL } from './servers.ts';

/** Nothing is refused, although the measuring shares the event loop with the server, or thousands connect at once. */
const DEFAULTS = loadConfig({});
const config = {
  ...DEFAULTS,
  production: true,
  http: { ...DEFAULTS.http, publicUrl: PUBLIC_URL },
  budget: { points: PLENTY, perSecond: PLENTY },
  connections: { ...DEFAULTS.connections, streamsPerCaller: PLENTY, socketsPerNetwork: PLENTY },
  operations: { ...DEFAULTS.operations, patience: PLENTY },
};

/**
 * The whole server in this process, on a port that the system chooses. Closing it leaves the database open.
 *
 * @param keyFile made when it is missing.
 */
export async function listen(
  database: Database,
  keyFile: string,
): Promise<{ readonly app: App; readonly origin: string }> {
  const app = await createApp({
    config,
    api: readApi(config),
    database,
    keys: await loadKeys({ file: keyFile, createWhenMissing: true, clock: systemClock }),
    clock: systemClock,
    logger: pino({ level: 'warn' }),
    gateway: createSandbox({ database, clock: systemClock }),
  });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  // A server that listens on a port has an address with one.
  return { app, origin: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` };
}
