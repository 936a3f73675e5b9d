/** `npm ci` compiles nothing: a fresh machine may have neither a compiler nor Python, nor reach the headers of Node. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const json = (file: string): Record<string, unknown> => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/**
 * npm runs `node-gyp rebuild` for a package with a `binding.gyp`, unless its manifest has `gypfile: false`. `npm ci` reads the manifest
 * in the lockfile, where `npm install` does not write that member.
 */
test('packages that bring their binaries are not compiled: add "gypfile": false to their entries in package-lock.json', () => {
  const { packages } = json('package-lock.json') as { packages: Record<string, { gypfile?: boolean }> };
  const compiled = Object.entries(packages)
    .filter(([folder]) => folder !== '' && existsSync(join(ROOT, folder, 'binding.gyp')))
    .filter(([, locked]) => locked.gypfile !== false)
    .map(([folder]) => folder);
  expect(compiled).toEqual([]);
});
