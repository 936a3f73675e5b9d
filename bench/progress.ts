/** Shows the current step on standard error, so that standard output only contains the results. */
export interface Progress {
  show(what: string): void;
  /** Writes a line that stays visible. */
  note(text: string): void;
  clear(): void;
}

export function createProgress(): Progress {
  const { stderr } = process;
  const clear = () => {
    if (stderr.isTTY) stderr.write('\r\x1b[K');
  };
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
