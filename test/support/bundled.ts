/** The bundled programs of a run, and their paths. */
import { join } from 'node:path';

/** By the file that tests start: its source, and the name of its bundle. */
export const PROGRAMS: Readonly<Record<string, { readonly name: string; readonly source: string }>> = {
  'src/main.ts': { name: 'main', source: 'src/main.ts' },
  'bin/portico.js': { name: 'cli', source: 'src/cli/main.ts' },
  'test/faults/charging-server.ts': { name: 'charging', source: 'test/faults/charging-server.ts' },
};

/** The environment variable that passes the folder to workers. */
export const BUNDLE = 'TEST_BUNDLE';

/** Returns the bundle of a program in this run; undefined if it is not bundled. */
export function bundled(program: string): string | undefined {
  const folder = process.env[BUNDLE];
  const known = PROGRAMS[program];
  return folder && known ? join(folder, `${known.name}.mjs`) : undefined;
}
