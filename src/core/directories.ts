import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The directories hold keys and databases, so only the server's user may access them. */
const OWNER_ONLY = 0o700;

/**
 * Creates a directory and its missing parents. Only their owner may access them.
 *
 * Node's own `recursive` never ends below a directory that refuses new ones with ENOENT, such as `/proc`: it starts again with
 * the parent. Here each step is tried once.
 *
 * @throws the system error of the step that failed.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, OWNER_ONLY);
  } catch (error) {
    // Another process that starts at the same time may have created it.
    if (!existsSync(path)) throw error;
  }
}
