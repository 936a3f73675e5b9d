/** The benchmark of the limits replaces modules of the server with ones that do nothing. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the server loads without its limits: the replacements export everything that it imports', () => {
  const args = ['--import', './bench/limits/without.ts', 'src/cli/compile.ts'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
