/**
 * Modules of Node are found without Vitest, which sends a message for each `require`: Apollo Server has one in every request. Lines of
 * what Node runs are those of its files, so that no error looks for a source map.
 */
import { isBuiltin, registerHooks } from 'node:module';

const DONE = Symbol.for('portico modules of Node');

// It is read for each test file, in a process of many.
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
