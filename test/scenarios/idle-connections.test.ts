/**
 * Very many connections on which no one says anything, and somebody else who goes on reading. What becomes of one such
 * connection is in hostile-connections.test.ts.
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

const WANTED = 10_000;

/** Files that this process has open besides: the other end of each connection is in a process of its own. */
const SPARE = 500;

/** Milliseconds that somebody reads while all of them are open. */
const READING = 500;

/** Milliseconds that a read may take meanwhile, on a machine that has other things to do. */
const PATIENCE = 2000;

const IDLE = Math.min(WANTED, openFiles() - SPARE);

/** Files that a process may have open; Node raises that to what the system allows at all. */
function openFiles(): number {
  // Names are not looked up for it. Its types do not know that setting.
  Object.assign(process.report, { excludeNetwork: true });
  // What Node writes there is not typed.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const most = Number(userLimits?.open_files?.soft);
  return Number.isFinite(most) ? most : Number.POSITIVE_INFINITY;
}

const reason = IDLE < WANTED ? ` (not ${WANTED}: the system lets a process open ${openFiles()} files)` : '';

describeEachEngine(
  'a server with idle connections',
  (engine) => {
    // However long it takes to open them.
    const timeouts = { headers: 60_000, request: 60_000, silence: 60_000 };
    const app = startApp(engine, { timeouts });

    test(`${IDLE} of them${reason} do not keep others from reading`, async () => {
      await app.signIn('ada');
      const script = fileURLToPath(new URL('../support/idle-client.ts', import.meta.url));
      const child = spawn(process.execPath, [script, String(app.port), String(IDLE)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said: string[] = [];
      createInterface(child.stdout).on('line', (line) => said.push(line));
      try {
        await waitUntil(() => said.length > 0, 'all to be open');
        let slowest = 0;
        for (const began = performance.now(); performance.now() - began < READING; await sleep(10)) {
          const asked = performance.now();
          expect((await app.get('/v1/orders/7', { as: 'ada' })).status).toBe(200);
          slowest = Math.max(slowest, performance.now() - asked);
        }
        expect(slowest).toBeLessThan(PATIENCE);
        expect(said).toEqual(['open']);
      } finally {
        child.kill();
        if (child.exitCode === null) await once(child, 'exit');
      }
      expect((await app.get('/v1/orders/7', { as: 'ada' })).status).toBe(200);
    });
  },
  // Connections that say nothing never come to a database.
  'sqlite',
);
