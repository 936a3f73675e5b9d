/**
 * Follows the worked example of docs/contributing.md in a copy of this repository, and queries the copy for the new
 * resource.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OpenApi } from '../../src/rest/openapi/types.ts';
import { manageServers, ROOT } from '../support/process.ts';

// The type check and hundreds of tests, beside other suites: a minute alone.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const run = promisify(execFile);
const COPIED = [
  ...[
    'bench',
    'codegen',
    'deploy',
    'docs',
    'lint',
    'schema',
    'resolvers',
    'rest',
    'src',
    'test',
    'openapi.json',
    'package.json',
  ],
  ...['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'compose.yaml'],
  ...['biome.json', 'tsconfig.json', 'vitest.config.ts', '.dependency-cruiser.mjs', '.gitignore', 'bin'],
];
const TOOLS = join(ROOT, 'node_modules', '.bin');

/** A contributor who has followed the example has its files already; the copy is made without them. */
const isOther = (path: string) => !/\bsuppliers?(\.test)?(\.ts|\.graphql)?$/.test(path);

const servers = manageServers();
let copy: string;
let written: string[];

/** Runs a script of the copy in the environment of a contributor, without the variables of this test run. */
const inCopy = (...[command = '', ...args]: string[]) => {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$)/.test(name));
  const env = { ...Object.fromEntries(own), PATH: `${TOOLS}:${process.env['PATH']}` };
  return run(command, args, { cwd: copy, env }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${command} ${args.join(' ')} failed: ${error.stdout}${error.stderr}`);
  });
};
const script = (name: string, ...args: string[]) => inCopy('npm', 'run', '--silent', name, '--', ...args);

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'portico-example-'));
  for (const name of COPIED)
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: isOther });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  written = await followExample(await readFile(join(ROOT, 'docs/contributing.md'), 'utf8'));
  await script('codegen');
  // Without a name, it only reports the difference.
  await expect(script('db:generate')).rejects.toThrow('--name product_sku');
  await Promise.all([script('db:generate', '--name', 'suppliers'), script('openapi')]);
});

afterAll(() => rm(copy, { recursive: true, force: true }));

/** Writes every block that follows the name of a file. @returns the files, none of which existed. */
async function followExample(text: string): Promise<string[]> {
  const example = text.slice(text.indexOf('## Adding a resource'), text.indexOf('## A field'));
  const paths: string[] = [];
  for (const [, path = '', content = ''] of example.matchAll(
    /`([\w./-]+)`[^\n`]*(?:`\w+`[^\n`]*)*\n\n```(?:graphql|ts)\n(.*?)```/gs,
  )) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), content, { flag: 'wx' });
    paths.push(path);
  }
  return paths;
}

test('the example is one folder and four files, with tests, and edits nothing', () => {
  expect(written).toEqual([
    'schema/supplier.graphql',
    'src/db/tables/suppliers.ts',
    'src/db/queries/suppliers.ts',
    'resolvers/supplier/resolvers.ts',
    'resolvers/supplier/events.ts',
    'rest/v1/suppliers.graphql',
    'test/scenarios/suppliers.test.ts',
    'test/access/supplier.ts',
  ]);
});

test('the migration has the same name for both engines', async () => {
  for (const engine of ['sqlite', 'postgres']) {
    const migrations = await readdir(join(copy, 'src/db', engine, 'migrations'));
    expect(migrations.filter((name) => /suppliers/.test(name))).toEqual([
      expect.stringMatching(/^\d{4}_suppliers[.]sql$/),
    ]);
  }
});

test('the example passes the type check, lint, the import rules and its own tests', async () => {
  // Of the tests only those of the example, since the others are checked with the original.
  const checked = { extends: './tsconfig.json', include: ['src', 'resolvers', 'test/access', ...written] };
  await writeFile(join(copy, 'tsconfig.example.json'), JSON.stringify(checked));
  await inCopy('tsc', '--noEmit', '--project', 'tsconfig.example.json');
  await inCopy('biome', 'check', ...written);
  await inCopy('depcruise', '--config', '.dependency-cruiser.mjs', 'src', 'resolvers');
  const structure = ['schema', 'list-sizes', 'read-prices', 'openapi', 'tenants'];
  const more = ['scenarios/suppliers', 'docs/references', 'db/schema', 'structure/recipes', 'unit/events'];
  // These test all resources: only what is about the new one, or about the whole list, is run.
  const ofAll = ['access', 'agents', 'keyed-creations', 'lines-of-text'].map((name) => `scenarios/${name}`);
  const suites =
    'access|an agent|on an overloaded server|without points|with a budget|an idempotency key|a line of text';
  const titles = `^(?!(${suites})\\b)|[Ss]upplier|cover exactly|takes a key|is listed|all of them`;
  const files = [...structure.map((name) => `structure/${name}`), ...more, ...ofAll];
  // None of them starts a process, and other modes bundle the programs for those.
  const options = ['--mode=in-process', '--maxWorkers=1', '-t', titles];
  // Another option must separate `--update` from the names of files: it would take a name as its value.
  const { stdout } = await inCopy(
    'vitest',
    'run',
    '--update',
    ...options,
    ...files.map((name) => `test/${name}.test.ts`),
  );
  // A file of which all tests were skipped has not passed.
  const passed = new RegExp(`Test Files +${files.length} passed \\(${files.length}\\)`);
  expect(stripVTControlCharacters(stdout)).toMatch(passed);
});

test('its resource is in the graph, under /v1 and /v2, in OpenAPI and in the docs', async () => {
  const server = await servers.start({ root: copy });
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    });
  const signIn = async (email: string) => {
    const response = await post('/v1/auth/login', { email, password: 'portico-demo' });
    const { access_token } = (await response.json()) as { access_token: string };
    return { authorization: `Bearer ${access_token}` };
  };
  const [ada, vic, gil] = await Promise.all(
    ['ada@acme.test', 'vic@acme.test', 'gil@globex.test'].map(signIn),
  );

  const created = await post('/v1/suppliers', { name: 'Initech' }, ada);
  expect(created.status).toBe(201);
  const location = created.headers.get('location') ?? '';
  expect(location).toBe('/v1/suppliers/1');
  const supplier = { id: 1, name: 'Initech', created_at: expect.any(String) };
  expect(await created.json()).toEqual(supplier);

  for (const path of [location, '/v2/suppliers/1']) {
    const response = await fetch(server.url + path, { headers: vic ?? {} });
    expect(await response.json()).toEqual(supplier);
  }
  const query = { query: '{ supplier(id: 1) { name } }' };
  expect(await (await post('/graphql', query, vic)).json()).toMatchObject({
    data: { supplier: { name: 'Initech' } },
  });

  const described = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
  const operation = described.paths['/v1/suppliers']?.['post'];
  expect(operation).toMatchObject({
    operationId: 'CreateSupplier',
    summary: 'Adds a supplier',
    'x-required-scopes': ['write:orders'],
  });
  expect(described.webhooks).toHaveProperty(['supplier.created', 'post']);
  expect(Object.keys(operation?.responses ?? {})).toEqual(
    expect.arrayContaining(['201', '401', '403', '422']),
  );
  expect(described.paths['/v2/suppliers/{supplier_id}']).toHaveProperty('get');
  expect(described.components.schemas['Supplier']?.properties?.['name']?.description).toBe(
    'The name of the company.',
  );

  await expectInDocs(server.url);

  expect((await post('/v1/suppliers', {}, ada)).status).toBe(422);
  expect((await post('/v1/suppliers', { name: 'Hooli' }, vic)).status).toBe(403);
  expect((await post('/v1/suppliers', { name: 'Hooli' })).status).toBe(401);
  expect((await fetch(server.url + location, { headers: gil ?? {} })).status).toBe(403);
});

/** The reference is generated from the server that serves it. */
async function expectInDocs(url: string): Promise<void> {
  for (const [page, paths] of [
    ['rest', ['/v2/suppliers', '/v2/suppliers/{supplier_id}']],
    ['rest-v1', ['/v1/suppliers', '/v1/suppliers/{supplier_id}']],
  ] as const) {
    const text = await (await fetch(`${url}/docs/${page}`)).text();
    for (const path of paths) expect(text).toContain(path);
  }
}
