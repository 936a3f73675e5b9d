import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { type App, createApp } from '../src/app.ts';
import { loadKeys } from '../src/auth/keys.ts';
import { loadConfig } from '../src/config.ts';
import { systemClock } from '../src/core/clock.ts';
import type { OpenDatabase } from '../src/db/database.ts';
import { createSandbox } from '../src/payments/sandbox.ts';
import { readApi } from '../src/rest/api.ts';
import { PUBLIC_URL, UNLIMITED } from './servers.ts';

/**
 * The limits are so high that the server rejects no request, although the benchmark shares its event loop or thousands of
 * clients connect at once.
 */
const DEFAULTS = loadConfig({});
const config = {
  ...DEFAULTS,
  production: true,
  http: { ...DEFAULTS.http, publicUrl: PUBLIC_URL },
  budget: { points: UNLIMITED, perSecond: UNLIMITED },
  connections: {
    ...DEFAULTS.connections,
    streamsPerCaller: UNLIMITED,
    socketsPerNetwork: UNLIMITED,
    connectionsPerNetwork: UNLIMITED,
  },
  operations: { ...DEFAULTS.operations, patience: UNLIMITED },
};

/**
 * Starts a complete server in this process, on a port that the system chooses. Closing the server leaves the database open.
 *
 * @param keyFile is created if it does not exist.
 */
export async function listen(
  database: OpenDatabase,
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
  // A server that listens on a TCP port has an address of this type.
  return { app, origin: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` };
}
