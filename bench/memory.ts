import { readFileSync } from 'node:fs';
import type { BenchServer } from './servers.ts';

/** Milliseconds between two memory samples. */
const SAMPLE_INTERVAL = 100;

/** Samples the resident memory of a server, in MiB. `end` stops the sampling and returns the peak. */
export function watchMemory({ process: { pid } }: Pick<BenchServer, 'process'>) {
  const now = () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  const before = Math.round(now());
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, now());
  }, SAMPLE_INTERVAL);
  return {
    before,
    end(): number {
      clearInterval(timer);
      return Math.round(peak);
    },
  };
}
