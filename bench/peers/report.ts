/** `npm run bench -- report`: writes `docs/performance.md` and its picture from `docs/performance.json`. */
import { readFile, writeFile } from 'node:fs/promises';
import { UsageError } from '../options.ts';
import { documentOf } from './document.ts';
import type { Run } from './results.ts';
import { drawRun } from './svg.ts';

const DOCS = new URL('../../docs/', import.meta.url);

/** Returns the contents of the generated files, by path within `docs/`. */
export async function reportFiles(): Promise<ReadonlyMap<string, string>> {
  // The benchmark wrote this file.
  const run = JSON.parse(await readFile(new URL('performance.json', DOCS), 'utf8')) as Run;
  return new Map([
    ['performance.md', documentOf(run)],
    ['images/performance.svg', drawRun(run)],
  ]);
}

/** @throws UsageError for any option. */
export async function report(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new UsageError('npm run bench -- report takes no options.');
  for (const [path, text] of await reportFiles()) await writeFile(new URL(path, DOCS), text);
}
