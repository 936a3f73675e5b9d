import { statSync } from 'node:fs';
import { readKeyFile } from '../../auth/key-file.ts';
import { reasonOf } from '../../core/failure.ts';
import { type Check, findingsOf } from './finding.ts';

const READABLE_BY_OTHERS = 0o007;
const READABLE_BY_GROUP = 0o070;

/** The file with the keys that sign tokens. */
export const checkKeys: Check = async ({ config: { auth, production } }) => {
  const keys = findingsOf('keys');
  const file = auth.keysFile;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined && !production) return [keys.ok(`${file} is created by the first start`)];
  try {
    const [signing] = await readKeyFile(file);
    if (mode === undefined || (mode & (READABLE_BY_OTHERS | READABLE_BY_GROUP)) === 0)
      return [keys.ok(`${file} signs with ${signing?.kid}`)];
    const everyone = (mode & READABLE_BY_OTHERS) !== 0;
    return [
      keys[everyone ? 'problem' : 'warning'](
        `${file} can be opened by ${everyone ? 'every user of this machine' : 'the group of its owner'}`,
        `Run "chmod 600 ${file}" as its owner${everyone ? ', and "portico keys rotate", since others may have read it' : ''}.`,
      ),
    ];
  } catch (error) {
    const advice =
      mode === undefined
        ? 'Run "portico keys create", or correct AUTH_KEYS_FILE.'
        : 'Let the user of the server read it, or put back the copy that you keep of it.';
    return [keys.problem(reasonOf(error), advice)];
  }
};
