/** Files with secrets and the directories of keys and databases, which only their owner may access. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ownCodeOf } from './failure.ts';

/** The modes of files and directories that only their owner may access. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Permissions of the group and of others. */
const OTHERS = 0o077;

/** Whether a path exists. @throws the system error if that is unknown, such as in a folder of another user or below a file. */
export function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (ownCodeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Creates an empty private file, or leaves an existing one as it is: a setting may name the wrong file. @throws Error. */
export function makePrivateFile(file: string): void {
  try {
    // The file has its mode from the beginning, so others can never open it. Only a new file is opened and closed, since closing
    // a file releases all locks that this process has on it, including SQLite's (fcntl, POSIX).
    closeSync(openSync(file, 'wx', FILE_MODE));
  } catch (error) {
    if (ownCodeOf(error) !== 'EEXIST') throw error;
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error(`${file} is not a file`);
  }
}

/** Removes the permissions of others from a file, if there is one. If the system refuses that, it only emits a warning. */
export function restrictToOwner(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || (found.mode & OTHERS) === 0) return;
  try {
    chmodSync(file, found.mode & ~OTHERS & 0o777);
  } catch (error) {
    process.emitWarning(
      `${file} holds secrets, can be opened by others, and cannot be restricted: ${ownCodeOf(error)}`,
    );
  }
}

/**
 * Creates a private directory and its missing parents, each tried once: Node's `recursive` never ends below a directory that refuses new
 * ones with ENOENT, such as `/proc`.
 *
 * @throws the system error of the step that failed.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, DIRECTORY_MODE);
  } catch (error) {
    // Another process that starts at the same time may have created it.
    if (!existsSync(path)) throw error;
  }
}
