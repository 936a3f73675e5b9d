/** The names of the guides that the server shows: the files in `docs/` for clients and operators, and the changelog. */
import { readdirSync } from 'node:fs';

/** A guide for contributors, as are those in `docs/internals/`. */
const CONTRIBUTING = 'contributing.md';

const FILES = readdirSync(new URL('../../../docs/', import.meta.url)).filter((name) => name !== CONTRIBUTING);

export const GUIDES: readonly string[] = [
  'changelog',
  ...FILES.flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : [])),
].toSorted();
