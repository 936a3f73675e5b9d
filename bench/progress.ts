/** What is being done right now, on standard error, so that standard output has the results alone. */
export interface Progress {
  show(what: string): void;
  /** Something to be read later, too. */
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
