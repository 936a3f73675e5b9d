import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The file of `file:data/portico.db` (relative to the working directory), `file:/var/…` or `file:///var/…`. */
export function fileOf(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}
