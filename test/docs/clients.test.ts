import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manageServers, ROOT, type ServerProcess } from '../support/process.ts';

const servers = manageServers(afterAll);
let server: ServerProcess;

beforeAll(async () => {
  server = await servers.start();
});
const run = promisify(execFile);

/** The programs of the guide, by their heading. */
const PROGRAMS = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8')
  .split(/^## /m)
  .flatMap((section) => {
    const program = /^```ts\n(.*?)^```$/ms.exec(section)?.[1];
    return program === undefined ? [] : [{ client: section.slice(0, section.indexOf('\n')), program }];
  });

test('the guide has a program for each client', () => {
  expect(PROGRAMS.map(({ client }) => client)).toEqual(['Apollo Client', 'urql', 'openapi-fetch']);
});

/** REST clients have no subscriptions: they follow the feed, as described in docs/streams.md. */
const FOLLOWS: Readonly<Record<string, string>> = {
  'Apollo Client': 'live order.created\n',
  urql: 'live order.created\n',
  'openapi-fetch': '',
};

test.each(PROGRAMS)(
  '$client of docs/clients.md reads, orders, follows and pages',
  async ({ client, program }) => {
    const directory = await servers.directory();
    // Packages are resolved from the folder of the program.
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    const file = join(directory, 'program.ts');
    await writeFile(file, program.replaceAll('localhost:4000', `127.0.0.1:${server.port}`));
    const { stdout, stderr } = await run(process.execPath, ['--no-warnings', file], { cwd: directory });
    expect(stderr).toBe('');
    expect(stdout).toBe(`name Ada Brandt\nplaced pending 39.98\n${FOLLOWS[client]}products 12\n`);
  },
);
