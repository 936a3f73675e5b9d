/**
 * A preloaded module that removes the limits from the server: it replaces their modules with ones that do nothing. The server itself
 * has no such setting.
 */
import { registerHooks } from 'node:module';

const REPLACED = [
  'pipeline/request-cost.ts',
  'pipeline/price/pricing.ts',
  'core/deadline.ts',
  'pipeline/scheduler.ts',
];

const replacements = new Map(
  REPLACED.map((module) => {
    const name = module.slice(module.lastIndexOf('/') + 1);
    return [
      new URL(`../../src/${module}`, import.meta.url).href,
      new URL(`none/${name}`, import.meta.url).href,
    ] as const;
  }),
);

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const url = replacements.get(resolved.url);
    return url === undefined ? resolved : { ...resolved, url };
  },
});
