import { text } from 'node:stream/consumers';

/** What a command reads and writes. Tests put their own in its place. */
export interface Terminal {
  /** Settings, in place of this process's own environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Everything that comes in until it ends. */
  readonly readInput: () => Promise<string>;
  /** Where a progress bar is drawn; undefined without a terminal. */
  readonly screen?: NodeJS.WriteStream;
}

export function systemTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(line),
    err: (line) => void process.stderr.write(line),
    readInput: () => text(process.stdin),
    ...(process.stderr.isTTY && { screen: process.stderr }),
  };
}
