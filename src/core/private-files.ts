/** Files with secrets, which only their owner may read and write. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** Permissions of the group and of others. */
const OTHERS = 0o077;

/**
 * Creates an empty file, or removes the permissions of others from an existing one.
 *
 * @throws the system error if the file cannot be created.
 */
export function makePrivateFile(file: string): void {
  try {
    // The file has its mode from the beginning, so others can never open it. Only a new file is opened and closed, since closing
    // a file releases all locks that this process has on it, including SQLite's (fcntl, POSIX).
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    restrictToOwner(file);
  }
}

/**
 * Removes the permissions of others from a file. Does nothing if the file does not exist. If the system refuses, as for a file
 * of another owner or on a volume without permissions, it emits a warning and leaves the file unchanged.
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
