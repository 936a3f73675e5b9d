import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

export interface Progress {
  update(done: number): void;
  stop(): void;
}

/** Draws a progress bar on the terminal, if there is one. @param what the name of the counted items, in the plural. */
export function startBar({ screen }: Terminal, total: number, what: string): Progress {
  if (!screen) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({
    format: `[{bar}] {value} of {total} ${what}, {eta} s left`,
    stream: screen,
    clearOnComplete: true,
  });
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
