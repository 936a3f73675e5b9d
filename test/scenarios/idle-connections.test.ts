/**
 * A server with many idle connections, while another client keeps reading. For one such connection, see
 * hostile-connections.test.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { threadTime } from '../support/timing.ts';

const WANTED = 10_000;

/** Other files that this process has open: the client ends of the connections belong to a process of their own. */
const SPARE = 500;

/** Milliseconds for which the other client reads while all connections are open. */
const READING = 500;

/** The most processor time that a read may take meanwhile, in milliseconds. */
const MOST_WORK = 500;

const IDLE = Math.min(WANTED, openFiles() - SPARE);

/** The number of files that a process may open; Node raises the soft limit to the hard limit. */
function openFiles(): number {
  // Without host names (lookups). The types do not know this option.
  Object.assign(process.report, { excludeNetwork: true });
  // Node's report is not typed.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const most = Number(userLimits?.open_files?.soft);
  return Number.isFinite(most) ? most : Number.POSITIVE_INFINITY;
}

const reason = IDLE < WANTED ? ` (not ${WANTED}: the system lets a process open ${openFiles()} files)` : '';

describeEachEngine(
  'a server with idle connections',
  (engine) => {
    // Opening them may take long.
    const timeouts = { headers: 60_000, request: 60_000, silence: 60_000 };
    const app = startApp(engine, { timeouts, connections: { connectionsPerNetwork: WANTED } });

    test(`${IDLE} of them${reason} do not slow down other clients`, async () => {
      await app.signIn('ada');
      const script = fileURLToPath(new URL('./idle-client.ts', import.meta.url));
      const child = spawn(process.execPath, [script, String(app.port), String(IDLE)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const output: string[] = [];
      createInterface(child.stdout).on('line', (line) => output.push(line));
      try {
        await waitUntil(() => output.length > 0, 'all to be open');
        let slowest = 0;
        for (const began = performance.now(); performance.now() - began < READING; await sleep(10)) {
          const startedAt = threadTime();
          expect((await app.get('/v1/orders/7', { as: 'ada' })).status).toBe(200);
          slowest = Math.max(slowest, threadTime() - startedAt);
        }
        expect(slowest).toBeLessThan(MOST_WORK);
        expect(output).toEqual(['open']);
      } finally {
        child.kill();
        if (child.exitCode === null) await once(child, 'exit');
      }
      expect((await app.get('/v1/orders/7', { as: 'ada' })).status).toBe(200);
    });
  },
  // Idle connections never use the database.
  'sqlite',
);
