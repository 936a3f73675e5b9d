import { endAll } from './processes.ts';

/** What a benchmark leaves behind is undone by these, when it is over and when it is interrupted. */
export type Cleanups = (() => unknown)[];

/** Ends what was started, and then undoes everything, the last first. */
export async function cleanUp(cleanups: Cleanups): Promise<void> {
  await endAll();
  for (const undo of cleanups.splice(0).reverse()) await undo();
}
