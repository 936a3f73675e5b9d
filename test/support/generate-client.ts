/**
 * Writes the types of a client: `node generate-client.ts <openapi.json> <types.ts>`. openapi-typescript prints with the
 * compiler's JavaScript API, which TypeScript 7 does not have any more, so it gets the TypeScript that comes with ts-morph.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const morph = createRequire(import.meta.url).resolve('@ts-morph/common');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? next(pathToFileURL(join(morph, '../typescript.js')).href, context)
      : next(specifier, context),
});

const [from = '', to = ''] = process.argv.slice(2);
const { default: generate, astToString } = await import('openapi-typescript');
writeFileSync(to, astToString(await generate(JSON.parse(readFileSync(from, 'utf8')))));
