/** `portico`, and `npm run portico -- …`: what an operator does beside the server. */
import { existsSync } from 'node:fs';
import { run } from './run.ts';
import { systemTerminal } from './terminal.ts';

// Variables of the environment come before those of the file.
if (existsSync('.env')) process.loadEnvFile('.env');

process.exitCode = await run(process.argv.slice(2), systemTerminal());
