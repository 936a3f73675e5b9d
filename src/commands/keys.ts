import { parseArgs } from 'node:util';
import { rotateKeyFile } from '../auth/key-file.ts';
import { systemClock } from '../clock.ts';
import { loadConfig } from '../config.ts';
import { reasonOf } from '../failure.ts';

const USAGE = `Usage: npm run keys -- rotate [--file <path>]

Adds a new signing key to the key file. Running servers notice within a minute, and tokens signed with the
former keys stay valid until they expire, so that nobody is signed out.

  --file <path>  the private JWKS (default: AUTH_KEYS_FILE, or data/keys.json)
  --help         show this`;

/** Exit codes: 0 done, 1 failed, 2 called wrongly. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { file: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (positionals.length !== 1 || positionals[0] !== 'rotate') {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const kid = await rotateKeyFile(values.file ?? loadConfig().authKeysFile, systemClock);
  process.stdout.write(`New tokens are signed with the key ${kid}.\n`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`The keys could not be rotated: ${reasonOf(error)}\n`);
  process.exitCode = isUsageError(error) ? 2 : 1;
}

function isUsageError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
