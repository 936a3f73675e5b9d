/** Files that hold secrets, which only their owner may read and write. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** Permissions of the group and of others. */
const OTHERS = 0o077;

/**
 * Makes an empty file where there is none, and takes the permissions of others from one that is there.
 *
 * @throws the system's error for a file that cannot be made.
 */
export function makePrivateFile(file: string): void {
  try {
    // With its mode from the beginning: there is no moment in which others could open it. Only a file that is new is opened
    // and closed, since closing one lets go of all locks that this process has on it, SQLite's among them (fcntl, POSIX).
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    restrictToOwner(file);
  }
}

/**
 * Takes the permissions of others from a file. It does nothing where there is no such file. Where the system refuses, as for
 * a file of another owner or on a volume without permissions, it warns and the file stays as it is.
 */
export function restrictToOwner(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OTHERS) === 0) return;
  try {
    chmodSync(file, mode & ~OTHERS & 0o777);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    process.emitWarning(
      `${file} holds secrets, can be opened by others, and cannot be restricted: ${reason}`,
    );
  }
}
