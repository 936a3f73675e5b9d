import { readFileSync } from 'node:fs';
import type { BenchServer } from './servers.ts';

/** Milliseconds between two looks at the memory. */
const SAMPLE = 100;

/** Looks at the resident memory of a server until it is ended, in MiB. */
export function watchMemory({ process: { pid } }: Pick<BenchServer, 'process'>) {
  const now = () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  const before = Math.round(now());
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, now());
  }, SAMPLE);
  return {
    before,
    end(): number {
      clearInterval(timer);
      return Math.round(most);
    },
  };
}
