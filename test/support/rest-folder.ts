/** Temporary folders with operation documents. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { ROOT } from './process.ts';

export type Documents = Readonly<Record<string, string>>;

/**
 * Creates a folder named `rest` with these documents.
 *
 * @param around whether it also contains the server's own documents.
 * @param after registers the removal: after the suite, or after the test with `onTestFinished`.
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
