import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is made here is for keys and databases, and so for the server's user alone. */
const OWNER_ONLY = 0o700;

/**
 * Makes a directory and those it stands in, where they are missing. Only their owner may enter them.
 *
 * Node's own `recursive` never ends below a directory that refuses new ones as if they were not there, as `/proc` does
 * (ENOENT makes it begin with the parent again). Here each step is tried once.
 *
 * @throws the system's error for the step that failed.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, OWNER_ONLY);
  } catch (error) {
    // Another process that starts at the same time may have made it.
    if (!existsSync(path)) throw error;
  }
}
