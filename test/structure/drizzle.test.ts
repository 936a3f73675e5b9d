/**
 * No module imports a value from drizzle: an import loads the package's second copy, which takes time in each process, and whose classes
 * are not those of the server. `src/db/drizzle/` and `test/support/drizzle.ts` have what the server and tests use.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/process.ts';

/** A static import or export of values, with those that only mention types in braces, and a dynamic import. */
const VALUE_IMPORT =
  /^(import|export)\s(?!type\s)[^;'"]*['"]drizzle-orm[/'"]|^import\s*['"]drizzle-orm|\bawait import\(\s*['"]drizzle-orm/m;

test.each([
  ["import { sql } from 'drizzle-orm';", true],
  ["import {\n  getTableName,\n} from 'drizzle-orm/pg-core';", true],
  ["import 'drizzle-orm';", true],
  ["export { sql } from 'drizzle-orm';", true],
  ["const { sql } = await import('drizzle-orm');", true],
  ["import type { Column } from 'drizzle-orm';", false],
  ["import { sql } from '../drizzle/index.ts';\nimport type { Column } from 'drizzle-orm';", false],
  ["const drizzle: typeof Drizzle = require('drizzle-orm');", false],
])('%j is found: %s', (text, isFound) => {
  expect(VALUE_IMPORT.test(text)).toBe(isFound);
});

test('no module imports a value from drizzle', () => {
  const files = globSync('{bench,codegen,deploy,resolvers,src,test}/**/*.ts', {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  });
  expect(files.length).toBeGreaterThan(1000);
  const found = files.filter((file) => VALUE_IMPORT.test(readFileSync(join(ROOT, file), 'utf8')));
  // The examples above.
  expect(found).toEqual(['test/structure/drizzle.test.ts']);
});
