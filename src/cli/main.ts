/** `portico`, and `npm run portico -- …`: the commands for operators. */
import '../core/env-file.ts';
import { run } from './run.ts';
import { systemTerminal } from './terminal.ts';

process.exitCode = await run(process.argv.slice(2), systemTerminal());
