/** The guides. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/process.ts';

/** Their paths. */
export const GUIDES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));
