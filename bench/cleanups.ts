import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll } from './processes.ts';

/** Functions that release the resources of a benchmark, when it completes and when it is interrupted. */
export type Cleanups = (() => unknown)[];

/** Stops all started processes, then runs the cleanups in reverse order. */
export async function cleanUp(cleanups: Cleanups): Promise<void> {
  await endAll();
  for (const undo of cleanups.splice(0).reverse()) await undo();
}

/** Creates a folder, which the cleanups remove. */
export async function temporaryFolder(cleanups: Cleanups): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
