import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { problemsOf } from './arrows.ts';
import { importsOf, readSource } from './source.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files below a folder, by their path from the root. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'));
}

describe('the order of the house', () => {
  const code = [...filesIn('src'), ...filesIn('resolvers')].filter((path) => path.endsWith('.ts'));
  const files = new Map(code.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));

  test('is kept by every file', () => {
    expect(files.size).toBeGreaterThan(50);
    expect(problemsOf(files)).toEqual([]);
  });

  test('is looked at through every import that there is', () => {
    const imports = [...files.values()].flatMap((text) => importsOf(readSource(text)));
    // Every one of them says `from`, `import(` or `require(` once, as far as lines go that a comment does not begin.
    const lines = [...files.values()].flatMap((text) => text.split('\n'));
    const written = lines.filter((line) =>
      /^(import|export|\}) .*from '|^import '|^(?! *(\*|\/)).*\b(import|require)\('/.test(line),
    );
    expect(imports.length).toBe(written.length);
  });

  test.each(['schema', 'rest'])('%s/ at the top holds no code', (folder) => {
    expect(filesIn(folder).filter((path) => !path.endsWith('.graphql'))).toEqual([]);
  });
});

/** Files that are there to be imported. */
const AROUND: Readonly<Record<string, string>> = {
  'src/main.ts': '',
  'src/app.ts': '',
  'src/config.ts': '',
  'src/errors.ts': '',
  'src/http/server.ts': '',
  'src/rest/index.ts': '',
  'src/graphql/schema.ts': '',
  'src/graphql/context.ts': '',
  'src/generated/resolvers.ts': '',
  'src/auth/policy.ts': '',
  'src/events/record.ts': '',
  'src/payments/gateway.ts': '',
  'src/demo/install.ts': '',
  'src/db/database.ts': '',
  'src/db/drizzle/index.ts': '',
  'resolvers/order.ts': '',
};

const check = (path: string, text: string) =>
  problemsOf(new Map(Object.entries({ ...AROUND, [path]: text })));

describe('the check of it', () => {
  test.each([
    ['src/main.ts', `import { createApp } from './app.ts';`],
    ['src/main.ts', `import { loadConfig } from './config.ts';`],
    ['src/main.ts', `import { installDemo } from './demo/install.ts';`],
    ['src/commands/seed.ts', `import { loadConfig } from '../config.ts';`],
    [
      'src/http/server.ts',
      `import Fastify from 'fastify';\nimport { createRoutes } from '../rest/index.ts';`,
    ],
    ['src/graphql/schema.ts', `import { order } from '../../resolvers/order.ts';`],
    ['resolvers/order.ts', `import { may } from '../src/auth/policy.ts';`],
    ['resolvers/order.ts', `import type { Context } from '../src/graphql/context.ts';`],
    ['resolvers/order.ts', `import type { Resolvers } from '../src/generated/resolvers.ts';`],
    ['src/generated/resolvers.ts', `import type { Node } from '../../resolvers/order.ts';`],
    ['src/auth/sessions.ts', `import { record } from '../events/record.ts';`],
    ['src/auth/policy.ts', `import type { FastifyRequest } from 'fastify';`],
    [
      'src/db/database.ts',
      `import { sql } from './drizzle/index.ts';\nconst q = 'select 1 from orders where id = 1';`,
    ],
    ['src/config.ts', 'export const environment = process.env;'],
    ['src/errors.ts', `// import { x } from './http/server.ts';`],
    ['src/errors.ts', `/** @example import { x } from './http/server.ts'; process.env */`],
    ['src/errors.ts', `const text = "import { x } from './http/server.ts'; process.env";`],
    ['src/errors.ts', `const text = \`\${1 /* } */}import { x } from './http/server.ts';\`;`],
    [
      'src/errors.ts',
      `const message = 'Select a user from the list, or update it.';\nconst x = 'pragmatic';`,
    ],
  ])('lets %s be: %s', (path, text) => {
    expect(check(path, text)).toEqual([]);
  });

  test.each([
    [
      'src/db/x.ts',
      `import { x } from '../http/server.ts';`,
      'src/db/x.ts imports src/http/server.ts: http is above db',
    ],
    [
      'src/db/x.ts',
      `import type { X } from '../http/server.ts';`,
      'src/db/x.ts imports src/http/server.ts: http is above db',
    ],
    [
      'src/errors.ts',
      `export * from './db/database.ts';`,
      'src/errors.ts imports src/db/database.ts: db is above leaf',
    ],
    [
      'src/errors.ts',
      `export {\n  a,\n  b as c,\n} from './db/database.ts';`,
      'src/errors.ts imports src/db/database.ts: db is above leaf',
    ],
    [
      'src/errors.ts',
      `import './db/database.ts';`,
      'src/errors.ts imports src/db/database.ts: db is above leaf',
    ],
    [
      'src/errors.ts',
      `import a, * as b from './db/database.ts';`,
      'src/errors.ts imports src/db/database.ts: db is above leaf',
    ],
    [
      'src/errors.ts',
      `const x = await import('./db/database.ts');`,
      'src/errors.ts imports src/db/database.ts: db is above leaf',
    ],
    [
      'src/errors.ts',
      `const quote = /['"\`]/; import a from './db/database.ts'; // it's`,
      'src/errors.ts imports src/db/database.ts: db is above leaf',
    ],
    [
      'src/errors.ts',
      `const a = \`\${await import('./db/database.ts')}\`;`,
      'src/errors.ts imports src/db/database.ts: db is above leaf',
    ],
    [
      'src/errors.ts',
      'const x = await import(name);',
      'src/errors.ts imports something that is only known at run time',
    ],
    [
      'src/rest/index.ts',
      `import { x } from '../http/server.ts';`,
      'src/rest/index.ts imports src/http/server.ts: http is above rest',
    ],
    [
      'resolvers/order.ts',
      `import { x } from '../src/graphql/schema.ts';`,
      'resolvers/order.ts imports src/graphql/schema.ts: graphql is above resolvers',
    ],
    [
      'resolvers/order.ts',
      `import { x } from '../src/graphql/context.ts';`,
      'resolvers/order.ts imports src/graphql/context.ts: graphql is above resolvers',
    ],
    [
      'resolvers/order.ts',
      `import { type X } from '../src/graphql/context.ts';`,
      'resolvers/order.ts imports src/graphql/context.ts: graphql is above resolvers',
    ],
    [
      'resolvers/order.ts',
      `import { type X } from '../src/generated/resolvers.ts';`,
      'resolvers/order.ts imports src/generated/resolvers.ts at run time, and there are only types in it',
    ],
    [
      'src/events/record.ts',
      `import { x } from '../auth/policy.ts';`,
      'src/events/record.ts imports src/auth/policy.ts: auth is beside events',
    ],
    [
      'src/auth/policy.ts',
      `import { x } from '../payments/gateway.ts';`,
      'src/auth/policy.ts imports src/payments/gateway.ts: payments is beside auth',
    ],
    [
      'src/http/server.ts',
      `import { x } from '../config.ts';`,
      'src/http/server.ts imports src/config.ts, which is for main alone',
    ],
    [
      'src/app.ts',
      `import { x } from './demo/install.ts';`,
      'src/app.ts imports src/demo/install.ts, which is for main alone',
    ],
    ['src/mail/send.ts', `import { x } from '../errors.ts';`, 'src/mail/send.ts has no place in the order'],
    [
      'src/errors.ts',
      `import { x } from './gone.ts';`,
      'src/errors.ts imports src/gone.ts, which is no source file',
    ],
    [
      'src/graphql/schema.ts',
      `import { x } from 'fastify';`,
      'src/graphql/schema.ts imports fastify, which only src/http/ may',
    ],
    [
      'src/graphql/schema.ts',
      `import { type X } from 'fastify';`,
      'src/graphql/schema.ts imports fastify, which only src/http/ may',
    ],
    [
      'resolvers/order.ts',
      `import { eq } from 'drizzle-orm/pg-core';`,
      'resolvers/order.ts imports drizzle-orm/pg-core, which only src/db/drizzle/ may',
    ],
    [
      'src/db/database.ts',
      `import { sql } from 'drizzle-orm';`,
      'src/db/database.ts imports drizzle-orm, which only src/db/drizzle/ may',
    ],
    [
      'resolvers/order.ts',
      `import { eq } from '../src/db/drizzle/index.ts';`,
      'resolvers/order.ts imports src/db/drizzle/index.ts, which only src/db/ may',
    ],
    ['src/auth/policy.ts', `import pg from 'pg';`, 'src/auth/policy.ts imports pg, which only src/db/ may'],
    [
      'src/limits.ts',
      'const x = process.env;',
      'src/limits.ts reads process.env, which only src/config.ts may',
    ],
    [
      'src/limits.ts',
      'const x = process?.env;',
      'src/limits.ts reads process.env, which only src/config.ts may',
    ],
    [
      'src/limits.ts',
      `const x = process['env'];`,
      'src/limits.ts reads process.env, which only src/config.ts may',
    ],
    [
      'src/limits.ts',
      `import { env } from 'node:process';`,
      'src/limits.ts imports node:process: the global does, and is looked for',
    ],
    [
      'resolvers/order.ts',
      `const q = \`select * from orders where id = \${id}\`;`,
      `resolvers/order.ts has SQL in it: select * from orders where id = \${}`,
    ],
    [
      'resolvers/order.ts',
      `const q = 'DELETE FROM orders';`,
      'resolvers/order.ts has SQL in it: DELETE FROM orders',
    ],
  ])('finds what is wrong in %s: %s', (path, text, problem) => {
    expect(check(path, text)).toEqual([problem]);
  });

  test('finds a circle at run time, and none of types', () => {
    const circle = (kind: string) =>
      problemsOf(
        new Map([
          ['src/db/a.ts', `import { b } from './b.ts';`],
          ['src/db/b.ts', `const c = await import('./c.ts');`],
          ['src/db/c.ts', `${kind} { a } from './a.ts';`],
        ]),
      );
    expect(circle('import')).toEqual([
      'src/db/a.ts -> src/db/b.ts -> src/db/c.ts -> src/db/a.ts is a circle at run time',
    ]);
    expect(circle('export')).toHaveLength(1);
    expect(circle('import type')).toEqual([]);
  });

  test('does not go on with a file that it cannot read', () => {
    expect(() => check('src/errors.ts', `const a = 'open`)).toThrow('A quote is not closed');
    expect(() => check('src/errors.ts', 'const a = `open')).toThrow('A template is not closed');
  });
});
