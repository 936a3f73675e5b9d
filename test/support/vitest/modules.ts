/**
 * Resolves Node's built-in modules without Vitest, which sends a message for each `require`: Apollo Server calls it in every request.
 * Disables source maps, since Node runs the source files themselves and errors need no mapping. Replaces the package that hashes
 * passwords.
 */
import { isBuiltin, registerHooks } from 'node:module';

const DONE = Symbol.for('portico modules of Node');

/** By the end of the URL of a module of the server, and the name that it imports. */
const ARGON2 = { importer: '/src/auth/passwords.ts', name: '@node-rs/argon2' };
const CHEAP_ARGON2 = new URL('cheap-argon2.ts', import.meta.url).href;

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
      const isReplaced = name === ARGON2.name && context.parentURL?.endsWith(ARGON2.importer);
      return next(isReplaced ? CHEAP_ARGON2 : name, context);
    },
  });
}
