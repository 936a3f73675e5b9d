/** The guides, for users and for contributors. */
import { globSync } from 'node:fs';
import { ROOT } from '../support/process.ts';

/** Their paths. */
export const GUIDES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }).toSorted(),
];
