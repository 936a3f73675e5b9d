/** `portico`, and `npm run portico -- …`: what an operator does beside the server. */
import '../env-file.ts';
import { run } from './run.ts';
import { systemTerminal } from './terminal.ts';

process.exitCode = await run(process.argv.slice(2), systemTerminal());
