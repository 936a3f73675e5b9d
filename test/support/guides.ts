/** What is written for readers of all kinds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './process.ts';

/** By their paths. */
export const GUIDES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));
