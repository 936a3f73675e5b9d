/** `portico`, and `npm run portico -- …`: the commands for operators. */
import '../core/env-file.ts';
import { reasonOf } from '../core/failure.ts';
import { run } from './run.ts';
import { systemTerminal } from './terminal.ts';

/** The exit status that a shell reports for a process that SIGPIPE has ended. */
const SIGPIPE_STATUS = 128 + 13;

/**
 * Ends a command whose output cannot be written. The reader of a pipe may stop early, as `head` does: then with the status of SIGPIPE,
 * which Node ignores. A server continues.
 */
function onLostOutput(error: NodeJS.ErrnoException): void {
  if (process.argv[2] === 'serve') return;
  if (error.code === 'EPIPE') process.exit(SIGPIPE_STATUS);
  process.stderr.write(`The output cannot be written: ${reasonOf(error)}\n`);
  process.exit(1);
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', onLostOutput);

process.exitCode = await run(process.argv.slice(2), systemTerminal());
