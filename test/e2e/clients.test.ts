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

/** Generators work only with some versions of other packages, such as TypeScript. */
test('the guide runs the generators in the versions that are tested', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'test/clients/package.json'), 'utf8'));
  const { '@types/node': _types, 'openapi-fetch': _library, ...tools } = dependencies;
  const guide = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const named = guide.match(/(?<= )[@\w/-]+@\d+(?:\.\d+)?(?=[ \n])/g);
  // A caret allows later minor versions, except below 1.
  const versions = Object.entries<string>(tools).map(
    ([name, range]) => `${name}@${/\^(0\.\d+|\d+)/.exec(range)?.[1]}`,
  );
  expect(new Set(named)).toEqual(new Set(versions));
});

/** REST clients have no subscriptions: they follow the feed, as described in docs/streams.md. */
const FOLLOWS: Readonly<Record<string, string>> = {
  'Apollo Client': 'live order.created\n',
  urql: 'live order.created\n',
  'openapi-fetch': '',
};

/** The first block of JavaScript after a heading of a guide. */
const blockOf = (guide: string, heading: string): string =>
  new RegExp(`^## ${heading}\n.*?^\`\`\`js\n(.*?)^\`\`\`$`, 'ms').exec(
    readFileSync(join(ROOT, 'docs', guide), 'utf8'),
  )?.[1] ?? '';

/** The programs of the guide, which are JavaScript: with the types of the clients, TypeScript would require annotations. */
const PROGRAMS = ['Apollo Client', 'urql', 'openapi-fetch'].map((client) => ({
  client,
  program: blockOf('clients.md', client),
}));

/** Runs a program in a folder of its own, and returns its output. */
async function runProgram(program: string): Promise<string> {
  const directory = await servers.directory();
  // Packages are resolved from the folder of the program.
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const file = join(directory, 'program.mjs');
  await writeFile(file, program.replaceAll('localhost:4000', `127.0.0.1:${server.port}`));
  const { stdout, stderr } = await run(process.execPath, ['--no-warnings', file], { cwd: directory });
  expect(stderr).toBe('');
  return stdout;
}

/** Clients with the functions of the guide, which print the name of the caller. */
const SIGNED_CLIENTS = {
  'Apollo Client': `import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
const client = new ApolloClient({
  cache: new InMemoryCache(),
  link: new HttpLink({ uri: 'http://localhost:4000/graphql', fetch: signedFetch }),
});
const ask = () => client.query({ query: gql('{ me { id name } }'), fetchPolicy: 'network-only' });`,
  urql: `import { Client, fetchExchange } from '@urql/core';
const client = new Client({ url: 'http://localhost:4000/graphql', exchanges: [fetchExchange], preferGetMethod: false, fetch: signedFetch });
const ask = () => client.query('{ me { id name } }', {}).toPromise();`,
  'graphql-ws': `import { createClient } from 'graphql-ws';
// A connection for each question, since a token is sent when a socket opens.
const ask = async () => {
  const client = createClient({ url: 'ws://localhost:4000/graphql', connectionParams });
  const { value } = await client.iterate({ query: '{ me { id name } }' }).next();
  await client.dispose();
  return value;
};`,
};

test.each(Object.entries(SIGNED_CLIENTS))('%s renews its token as the guide says', async (_, client) => {
  const guide = `${blockOf('streams.md', 'Signing in and resuming')}\n${blockOf('clients.md', 'Pages in a browser')}`;
  const use = `console.log((await ask()).data.me.name);
const first = session.access_token;
expires = 0;
console.log((await ask()).data.me.name, session.access_token !== first);
process.exit();`;
  expect(await runProgram(`${guide}\n${client}\n${use}`)).toBe('Ada Brandt\nAda Brandt true\n');
});

test('the documents that a generator writes become files, in a folder of their own', async () => {
  const documents = { 'sha256:1f': '{ me { id } }', 'orders-one': '{ order(id: 1) { id } }' };
  const before = `import { readdirSync, writeFileSync as save } from 'node:fs';
save('persisted-documents.json', '${JSON.stringify(documents)}');`;
  const after = `console.log(...readdirSync('documents').sort());`;
  expect(await runProgram(`${before}\n${blockOf('clients.md', 'Stored documents')}\n${after}`)).toBe(
    'orders-one.graphql sha256:1f.graphql\n',
  );
});

test.each(PROGRAMS)(
  '$client of docs/clients.md reads, orders, follows and pages',
  async ({ client, program }) => {
    expect(await runProgram(program)).toBe(
      `name Ada Brandt\nplaced pending 39.98\n${FOLLOWS[client]}products 12\n`,
    );
  },
);
