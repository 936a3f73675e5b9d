/** Runs commands in this process, and captures their output. */
import { run } from '../../src/cli/run.ts';

export interface CommandResult {
  /** The exit code. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The contents of standard input. */
  readonly input?: string;
}

export async function command(
  args: readonly string[],
  { environment = {}, input = '' }: CommandOptions = {},
): Promise<CommandResult> {
  let out = '';
  let err = '';
  const code = await run(args, {
    environment,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readInput: async () => input,
  });
  return { code, out, err };
}
