/**
 * Resolves modules without Vitest, which sends a message for each: Node's built-in ones, which Apollo Server requires in every request,
 * and those of this repository. These name each other by relative paths with extensions, so their URL is known without reading folders and
 * each `package.json` on the way. Disables source maps, since Node runs the source files themselves and errors need no mapping. Replaces
 * the package that hashes passwords.
 */
import { isBuiltin, registerHooks } from 'node:module';

const DONE = Symbol.for('portico modules of Node');

/** By the end of the URL of a module of the server, and the name that it imports. */
const ARGON2 = { importer: '/src/auth/passwords.ts', name: '@node-rs/argon2' };
const CHEAP_ARGON2 = new URL('cheap-argon2.ts', import.meta.url).href;

/** In watch mode, Vitest needs its messages to know which tests depend on a changed file. */
const isWatching = process.env['VITEST_MODE'] === 'WATCH';

/** Whether a module of this repository imports another one. */
const isOwn = (name: string, importer = '') =>
  name.startsWith('.') && name.endsWith('.ts') && !importer.includes('/node_modules/');

// This module runs for each test file, and one process runs many of them.
if (!Reflect.has(globalThis, DONE)) {
  Reflect.set(globalThis, DONE, true);
  process.setSourceMapsEnabled(false);
  registerHooks({
    resolve(name, context, next) {
      if (isBuiltin(name)) {
        return {
          url: name.startsWith('node:') ? name : `node:${name}`,
          format: 'builtin',
          shortCircuit: true,
        };
      }
      if (!isWatching && isOwn(name, context.parentURL)) {
        return {
          url: new URL(name, context.parentURL).href,
          format: 'module-typescript',
          shortCircuit: true,
        };
      }
      const isReplaced = name === ARGON2.name && context.parentURL?.endsWith(ARGON2.importer);
      return next(isReplaced ? CHEAP_ARGON2 : name, context);
    },
  });
}
