/** The check of words in `npm run lint`, in a working copy with changes that are not staged. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../support/process.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'portico-language-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A word that the check refuses, in two parts since this file is checked as well. */
const REFUSED = ['who', 'ever'].join('');

test('skips removed files, and reads new files that git does not ignore', async () => {
  await run('git', ['init', '--quiet'], { cwd: folder });
  writeFileSync(join(folder, '.gitignore'), 'ignored.md\n');
  writeFileSync(join(folder, 'removed.md'), `${REFUSED}\n`);
  await run('git', ['add', '--all'], { cwd: folder });
  rmSync(join(folder, 'removed.md'));
  writeFileSync(join(folder, 'ignored.md'), `${REFUSED}\n`);
  writeFileSync(join(folder, 'new.md'), `A line.\n${REFUSED}\n`);
  const checked = run(process.execPath, [join(ROOT, 'lint/language.ts')], { cwd: folder });
  await expect(checked).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^new\.md:2 .*\n1 listed words in 2 files\.\n$/),
  });
});
