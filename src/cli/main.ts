/** `portico`, and `npm run portico -- …`: the commands for operators. */
import '../core/env-file.ts';
import { run } from './run.ts';
import { systemTerminal } from './terminal.ts';

/** The exit status that a shell reports for a process that SIGPIPE has ended. */
const SIGPIPE_STATUS = 128 + 13;

// The reader of a pipe may stop early, as `head` does. A command then ends with the status of SIGPIPE, which Node ignores; a server continues.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (process.argv[2] !== 'serve') process.exit(SIGPIPE_STATUS);
});

process.exitCode = await run(process.argv.slice(2), systemTerminal());
