/**
 * The programs of the server in a few files, as they are at the beginning of a run. Tests start more than a hundred processes, and
 * each would look for a thousand modules.
 */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { PROGRAMS } from './bundled.ts';

/** Loads everything, so that it is compiled. */
const COMPILE = { name: 'compile', source: 'src/cli/compile.ts' };

/** Packages that have parts in other languages or start threads, and those that are loaded where a setting asks for them. */
const LEFT_OUT =
  /^(better-sqlite3|@node-rs\/argon2|pino|pg-native|stripe|nodemailer|@opentelemetry\/.*|@zxcvbn-ts\/.*)$/;

/** Each module finds its files beside its source. Only the first module of a process is its main one. */
const beside: Plugin = {
  name: 'beside',
  transform(code, id) {
    if (!/import\.meta\.(url|main)\b/.test(code)) return undefined;
    const here = JSON.stringify(pathToFileURL(id).href);
    return code.replaceAll('import.meta.url', here).replaceAll('import.meta.main', 'false');
  },
};

/** @returns the file that loads all of it. */
export async function bundlePrograms(root: string, folder: string): Promise<string> {
  const built = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(
      [...Object.values(PROGRAMS), COMPILE].map(({ name, source }) => [name, join(root, source)]),
    ),
    external: LEFT_OUT,
    plugins: [beside],
    logLevel: 'silent',
  });
  await built.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[hash].mjs',
  });
  await built.close();
  // Packages that are left out are found from where the files are.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, `${COMPILE.name}.mjs`);
}
