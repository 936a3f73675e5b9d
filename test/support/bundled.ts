/** Which programs a run has bundled, and where they are. */
import { join } from 'node:path';

/** By the file that tests name: what it runs, and under which name it is bundled. */
export const PROGRAMS: Readonly<Record<string, { readonly name: string; readonly source: string }>> = {
  'src/main.ts': { name: 'main', source: 'src/main.ts' },
  'bin/portico.js': { name: 'cli', source: 'src/cli/main.ts' },
  'test/faults/charging-server.ts': { name: 'charging', source: 'test/faults/charging-server.ts' },
};

/** The variable that names the folder to workers. */
export const BUNDLE = 'TEST_BUNDLE';

/** The file of a program in the bundle of this run; undefined for others. */
export function bundled(program: string): string | undefined {
  const folder = process.env[BUNDLE];
  const known = PROGRAMS[program];
  return folder && known ? join(folder, `${known.name}.mjs`) : undefined;
}
