/**
 * Clients that popular tools generate from `/openapi.json` create, list and read orders, with the generated
 * code unchanged. The tools are a separate project, installed by `npm ci --prefix test/clients`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { signIn } from '../faults/client.ts';
import { manageServers, ROOT, type ServerProcess } from '../support/process.ts';
import type { Order } from '../support/response-bodies.ts';

const run = promisify(execFile);
const servers = manageServers(afterAll);

const PROJECT = join(ROOT, 'test/clients');
const PACKAGES = join(PROJECT, 'node_modules');

let server: ServerProcess;

beforeAll(async () => {
  server = await servers.start();
});

/** Two desk lamps, as each client orders them. */
const ORDER = { user_id: 1, status: 'pending', total: 39.98, items: [{ product_id: 1, qty: 2 }] };

/** Skips the test if the tools are not installed. In CI they are required. */
function requireTools(skip: TestContext['skip']): void {
  const isThere = existsSync(PACKAGES);
  if (!isThere && process.env['CI'] === 'true')
    throw new Error('The generators of clients are not installed.');
  skip(!isThere, 'the generators are not installed: npm ci --prefix test/clients');
}

interface Execution {
  readonly item: { readonly name: string };
  readonly response: { readonly code: number; readonly stream: { readonly data: readonly number[] } };
}

interface Outcome {
  readonly code: number;
  readonly body: unknown;
}

/** The name of a request in a collection, and its response. */
const outcomeOf = ({ item, response: { code, stream } }: Execution): [string, Outcome] => [
  item.name,
  { code, body: JSON.parse(Buffer.from(stream.data).toString()) },
];

/** Runs a tool of the project in a folder. */
const tool = (folder: string, name: string, ...args: readonly string[]) =>
  run(process.execPath, [join(PACKAGES, '.bin', name), ...args], { cwd: folder, maxBuffer: 1 << 26 });

/** A folder with the tools, and the server's openapi.json. */
async function projectFolder(): Promise<string> {
  const folder = await servers.directory();
  await symlink(PACKAGES, join(folder, 'node_modules'));
  for (const name of ['package.json', 'tsconfig.json'])
    await copyFile(join(PROJECT, name), join(folder, name));
  const description = await (await fetch(`${server.url}/openapi.json`)).text();
  await writeFile(join(folder, 'openapi.json'), description);
  return folder;
}

/** Compiles a program of the project with the generated code, runs it, and returns its output. */
async function compileAndRun(folder: string, program: string): Promise<unknown> {
  await copyFile(join(PROJECT, `${program}.ts`), join(folder, `${program}.ts`));
  await tool(folder, 'tsc', '--project', folder);
  const { stdout } = await run(process.execPath, [join(folder, `built/${program}.js`), server.url]);
  return JSON.parse(stdout);
}

test('@hey-api/openapi-ts', async ({ skip }) => {
  requireTools(skip);
  const folder = await projectFolder();
  await tool(folder, 'openapi-ts', '--input', 'openapi.json', '--output', 'generated');
  const outcome = (await compileAndRun(folder, 'hey-api')) as { created: Order };
  expect(outcome).toMatchObject({ created: ORDER, listed: [outcome.created], read: outcome.created });
});

test('openapi-typescript', async ({ skip }) => {
  requireTools(skip);
  const folder = await projectFolder();
  await tool(folder, 'openapi-typescript', 'openapi.json', '--output', 'generated/paths.ts');
  const outcome = (await compileAndRun(folder, 'openapi-typescript')) as { created: Order };
  const { created } = outcome;
  expect(outcome).toMatchObject({ created: ORDER, listed: [created], read: created });
  expect(outcome).toMatchObject({ status: 'cancelled', isRefused: true });
});

test('Postman', async ({ skip }) => {
  requireTools(skip);
  const folder = await projectFolder();
  const options = 'parametersResolution=Example,enableOptionalParameters=false';
  await tool(folder, 'openapi2postmanv2', '-s', 'openapi.json', '-o', 'collection.json', '-O', options);

  const { paths } = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'));
  const names: readonly string[] = [
    paths['/v1/users/{user_id}/orders'].post.summary,
    paths['/v1/orders'].get.summary,
    paths['/v1/orders/{order_id}'].get.summary,
  ];
  const token = await signIn(server.url);
  await tool(
    folder,
    'newman',
    'run',
    'collection.json',
    '--env-var',
    `bearerToken=${token}`,
    ...[
      ...names.flatMap((name) => ['--folder', name]),
      ...['--reporters', 'json', '--reporter-json-export', 'results.json'],
    ],
  );
  const { run: results } = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
  const outcomes = new Map((results.executions as readonly Execution[]).map(outcomeOf));
  const [created, listed, read] = names.map((name) => outcomes.get(name));
  expect(created).toMatchObject({ code: 201, body: ORDER });
  expect(listed).toMatchObject({ code: 200, body: { data: expect.arrayContaining([created?.body]) } });
  expect(read).toMatchObject({ code: 200, body: { id: 1 } });
});
