/**
 * Bundles the server's programs into a few files at the start of a run. Tests start more than a hundred processes, and each of them
 * would otherwise resolve a thousand modules.
 */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { PROGRAMS } from '../process.ts';

/** A program that imports everything, so that it is compiled. */
const COMPILE = { name: 'compile', source: 'src/cli/compile.ts' };

/** Packages that are not bundled: those with native code or threads, and those that are only loaded if a setting needs them. */
const LEFT_OUT =
  /^(better-sqlite3|@node-rs\/argon2|pino|pg-native|stripe|nodemailer|@opentelemetry\/.*|@zxcvbn-ts\/.*)$/;

/**
 * Lets each module find files next to its source. Only the entry of a process is its main module, so `import.meta.main` is false. Packages
 * that a module requires are bundled too, since `require` is then not its own variable.
 */
const beside: Plugin = {
  name: 'beside',
  transform(code, id) {
    if (!/import\.meta\.(url|main)\b/.test(code)) return undefined;
    const here = JSON.stringify(pathToFileURL(id).href);
    return code
      .replace('const require = createRequire(import.meta.url);', '')
      .replaceAll('import.meta.url', here)
      .replaceAll('import.meta.main', 'false');
  },
};

/** @returns the path of the file that imports everything. */
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
  // The bundles resolve the packages that are not bundled from their own folder.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, `${COMPILE.name}.mjs`);
}
