/** Adds the variables of `.env` to the environment, which comes first. Import it before packages, which look at NODE_ENV when loaded. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ownCodeOf, reasonOf } from './failure.ts';

/** No such file. A directory of this name is something else, such as a virtual environment of Python. */
const NONE = new Set(['ENOENT', 'EISDIR']);

try {
  // Some editors begin a file with a byte order mark, which would become part of the first name.
  const text = readFileSync('.env', 'utf8').replace(/^\uFEFF/, '');
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
} catch (error) {
  if (!NONE.has(ownCodeOf(error))) {
    // Without its settings, a command could change another database.
    process.stderr.write(`The file .env cannot be read: ${reasonOf(error)}\n`);
    process.exit(1);
  }
}
