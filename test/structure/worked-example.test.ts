/** Follows ARCHITECTURE.md's worked example in a copy of this repository, and asks the copy for the new resource. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApi } from '../../src/rest/index.ts';
import { launch, noBrowser, openPage } from '../support/browser.ts';
import { manageServers, ROOT } from '../support/process.ts';

const run = promisify(execFile);
const COPIED = ['docs', 'schema', 'resolvers', 'rest', 'src', 'package.json', 'codegen.yml', 'tsconfig.json'];
const TOOLS = join(ROOT, 'node_modules', '.bin');

const servers = manageServers();
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'portico-example-'));
  for (const name of COPIED) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await followExample(await readFile(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));
  const options = { cwd: copy, env: { ...process.env, PATH: `${TOOLS}:${process.env['PATH']}` } };
  await Promise.all([
    run(join(TOOLS, 'graphql-codegen'), ['--config', 'codegen.yml'], options),
    run('npm', ['run', '--silent', 'db:generate'], options),
  ]);
}, 60_000);

afterAll(() => rm(copy, { recursive: true, force: true }));

/** Writes every block that a file's name stands before, changes what the diffs change, and names the table. */
async function followExample(text: string): Promise<void> {
  const example = text.slice(text.indexOf('## Adding a resource'));
  for (const [, path, content] of example.matchAll(/`([\w./-]+)`\n\n```(?:graphql|ts)\n(.*?)```/gs)) {
    await writeFile(join(copy, path ?? ''), content ?? '');
  }
  for (const [, diff] of example.matchAll(/```diff\n(.*?)```/gs)) {
    for (const [, path, hunks] of (diff ?? '').matchAll(
      /--- a\/(\S+)\n\+\+\+ b\/\S+\n(.*?)(?=--- a\/|$)/gs,
    )) {
      for (const hunk of (hunks ?? '').split('@@\n').slice(1)) await change(path ?? '', hunk);
    }
  }
  for (const engine of ['sqlite', 'postgres']) {
    await change(`src/db/${engine}/schema.ts`, '-export const {\n+export const {\n+  suppliers,\n');
  }
}

/** Puts a hunk's new lines in the place of its old ones, which must stand in the file just once. */
async function change(path: string, hunk: string): Promise<void> {
  const lines = hunk.split('\n').slice(0, -1);
  const side = (drop: string) =>
    lines
      .filter((line) => !line.startsWith(drop))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const file = await readFile(join(copy, path), 'utf8');
  const parts = file.split(side('+'));
  expect(parts, `${path} has these lines once:\n${side('+')}`).toHaveLength(2);
  await writeFile(join(copy, path), parts.join(side('-')));
}

test('the example type-checks, and its resource is in the graph, under /v1 and /v2, in OpenAPI and in the docs', async () => {
  await run(join(TOOLS, 'tsc'), ['--noEmit', '--project', copy]);
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
  expect(Object.keys(operation?.responses ?? {})).toEqual(
    expect.arrayContaining(['201', '401', '403', '422']),
  );
  expect(described.paths['/v2/suppliers/{supplier_id}']).toHaveProperty('get');
  expect(described.components.schemas['Supplier']?.properties?.['name']?.description).toBe(
    'What the company is called.',
  );

  await expectInDocs(server.url);

  expect((await post('/v1/suppliers', {}, ada)).status).toBe(422);
  expect((await post('/v1/suppliers', { name: 'Hooli' }, vic)).status).toBe(403);
  expect((await post('/v1/suppliers', { name: 'Hooli' })).status).toBe(401);
  expect((await fetch(server.url + location, { headers: gil ?? {} })).status).toBe(403);
}, 60_000);

/** The reference shows what the server that it comes from describes: in a browser where there is one, else by what it loads. */
async function expectInDocs(url: string): Promise<void> {
  const text = async (path: string) => (await fetch(`${url}/${path}`)).text();
  expect(await text('docs')).toContain('src="assets/pages/docs.js"');
  expect(await text('assets/pages/docs.js')).toContain("url: 'openapi.json'");
  if (noBrowser !== undefined) return;
  const browser = await launch();
  try {
    const { page, offences } = await openPage(browser, url);
    await page.goto('/docs');
    for (const operation of ['CreateSupplier', 'GetSupplier', 'GetSupplierV2']) {
      await page.locator(`#operations-Suppliers-${operation}`).waitFor();
    }
    expect(offences).toEqual([]);
  } finally {
    await browser.close();
  }
}
