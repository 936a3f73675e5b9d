/** Rules of `src/http/`: no other room knows the names of HTTP headers. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** OpenAPI documents headers; webhooks and signatures are requests that follow the contracts of others. */
const MAY_NAME_HEADERS = /^src\/(http|rest\/openapi|webhooks|core\/signatures[.]ts)/;

/** Text in quotes that is a header's name and no ordinary word. */
const HEADER =
  /['"](?:(?:accept|access-control|cache|content|idempotency|idempotent|if|last|proxy|ratelimit|referrer|retry|sec|strict-transport|user|www|x)-[a-z-]+|authorization|ratelimit|set-cookie|vary)['"]/gi;

describe('names of headers', () => {
  const files = globSync('{src,resolvers}/**/*.ts', { cwd: ROOT }).filter(
    (file) => !MAY_NAME_HEADERS.test(file),
  );

  test('are in src/http alone', () => {
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(HEADER)].map(([name]) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});
