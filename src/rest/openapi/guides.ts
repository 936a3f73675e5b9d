/** The names of the guides: the files in `docs/`, and the changelog. */
import { readdirSync } from 'node:fs';

const FILES = readdirSync(new URL('../../../docs/', import.meta.url));

export const GUIDES: readonly string[] = [
  'changelog',
  ...FILES.flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : [])),
].toSorted();
