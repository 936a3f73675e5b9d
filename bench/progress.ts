import type { Cleanups } from './cleanups.ts';

/** Shows the current step on standard error, so that standard output only contains the results. */
export interface Progress {
  show(what: string): void;
  /** Writes a line that stays visible. */
  note(text: string): void;
  clear(): void;
}

export function createProgress(cleanups: Cleanups): Progress {
  const { stderr } = process;
  const clear = () => {
    if (stderr.isTTY) stderr.write('\r\x1b[K');
  };
  cleanups.push(clear);
  return {
    clear,
    show(what) {
      clear();
      stderr.write(stderr.isTTY ? what : `${what}\n`);
    },
    note(text) {
      clear();
      stderr.write(`${text}\n`);
    },
  };
}
