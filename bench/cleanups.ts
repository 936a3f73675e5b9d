import { endAll } from './processes.ts';

/** Functions that release the resources of a benchmark, when it completes and when it is interrupted. */
export type Cleanups = (() => unknown)[];

/** Stops all started processes, then runs the cleanups in reverse order. */
export async function cleanUp(cleanups: Cleanups): Promise<void> {
  await endAll();
  for (const undo of cleanups.splice(0).reverse()) await undo();
}
