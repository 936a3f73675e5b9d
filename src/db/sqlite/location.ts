import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '../../core/directories.ts';
import { makePrivateFile, restrictToOwner } from '../../core/private-files.ts';

/** The file of `file:data/portico.db` (relative to the working directory), `file:/var/…` or `file:///var/…`. */
export function fileOf(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}

/** What SQLite keeps beside the file: the write-ahead log, its index, and the journal from before there is a log. */
const BESIDE = ['-wal', '-shm', '-journal'];

/**
 * Sees to it that only the owner can read the database. To be called before it is opened: SQLite gives the files that it
 * makes beside it the same permissions.
 */
export function makeDatabaseFile(file: string): void {
  makeDirectory(dirname(file));
  makePrivateFile(file);
  for (const suffix of BESIDE) restrictToOwner(file + suffix);
}
