import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** The input and output of a command. Tests pass their own. */
export interface Terminal {
  /** Settings to use instead of this process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>;
  /** The stream for a progress bar; undefined without a terminal. */
  readonly screen?: NodeJS.WriteStream;
}

export function systemTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(withoutControls(line)),
    err: (line) => void process.stderr.write(withoutControls(line)),
    readInput: () => readText(process.stdin),
    ...(process.stderr.isTTY && { screen: process.stderr }),
  };
}

/**
 * Reads a stream to its end.
 *
 * @throws UsageError unless it is UTF-8: a decoder would replace invalid bytes, and the person could not sign in with such a password.
 */
export async function readText(stream: Readable): Promise<string> {
  const bytes = await buffer(stream);
  if (!isUtf8(bytes)) throw new UsageError('Standard input is not UTF-8.');
  return new TextDecoder().decode(bytes);
}

/**
 * Escapes control characters, except line breaks and tabs: files and other servers may contain sequences that control a terminal.
 * JSON, which can have these characters only in strings, keeps its meaning.
 */
export const withoutControls = (text: string): string =>
  text.replace(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The arguments of the command are invalid: exit code 2. */
export class UsageError extends Error {}

/** The command failed, for the reason in the message: exit code 1. */
export class CommandError extends Error {}
