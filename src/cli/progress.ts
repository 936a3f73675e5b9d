import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

/**
 * Runs work with a progress bar on the terminal, if there is one.
 *
 * @param what the name of the counted items, in the plural.
 * @param work gets a function to call with the number of completed items.
 */
export async function withBar(
  { screen }: Terminal,
  total: number,
  what: string,
  work: (update: (done: number) => void) => Promise<void>,
): Promise<void> {
  if (!screen) return work(() => {});
  const format = `[{bar}] {value} of {total} ${what}, {eta} s left`;
  // Otherwise an interrupted command would leave the terminal without line wrapping.
  const bar = new SingleBar({ format, stream: screen, clearOnComplete: true, linewrap: true });
  bar.start(total, 0);
  try {
    await work((done) => bar.update(done));
  } finally {
    bar.stop();
  }
}
