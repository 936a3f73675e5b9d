/** Folders of operation documents that tests make up. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { ROOT } from './process.ts';

export type Documents = Readonly<Record<string, string>>;

/**
 * A folder named `rest` with these documents.
 *
 * @param around whether the server's own documents are in it as well.
 * @param after when it is removed: after the suite, or with `onTestFinished` after the test that asks for it.
 */
export function restFolder(
  documents: Documents,
  around: 'own documents' | 'nothing',
  after: (remove: () => void) => void = afterAll,
): string {
  const directory = mkdtempSync(join(tmpdir(), 'portico-rest-'));
  after(() => rmSync(directory, { recursive: true }));
  const folder = join(directory, 'rest');
  if (around === 'own documents') cpSync(join(ROOT, 'rest'), folder, { recursive: true });
  for (const [name, text] of Object.entries(documents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
