/** The guides: files of `docs/`, and the changelog. A new file is a new page. */
import { readdirSync } from 'node:fs';

const FILES = readdirSync(new URL('../../../docs/', import.meta.url));

export const GUIDES: readonly string[] = [
  'changelog',
  ...FILES.flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : [])),
].toSorted();
