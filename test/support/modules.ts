/**
 * Resolves Node's built-in modules without Vitest, which sends a message for each `require`: Apollo Server calls it in every request.
 * Disables source maps, since Node runs the source files themselves and errors need no mapping.
 */
import { isBuiltin, registerHooks } from 'node:module';

const DONE = Symbol.for('portico modules of Node');

// This module runs for each test file, and one process runs many of them.
if (!Reflect.has(globalThis, DONE)) {
  Reflect.set(globalThis, DONE, true);
  process.setSourceMapsEnabled(false);
  registerHooks({
    resolve: (name, context, next) =>
      isBuiltin(name)
        ? { url: name.startsWith('node:') ? name : `node:${name}`, format: 'builtin', shortCircuit: true }
        : next(name, context),
  });
}
