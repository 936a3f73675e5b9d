/** The server as a process: an invalid document stops its start, with only the error message. */
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { manageServers, ROOT } from '../support/process.ts';

describe('the server as a process', () => {
  const servers = manageServers();

  // Other documents are refused before the server has any routes, as the tests without a process show.
  test('exits with only the message, for a route on a path of the server', async () => {
    const root = await copyOfTheTree();
    const document = '\nquery GetMine @rest(method: GET, path: "/healthz") { me { id } }';
    await writeFile(join(root, 'rest/v1/things.graphql'), document);
    const server = await servers.launch({ root });
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.stderr).toBe(
      'Portico cannot start: rest/v1/things.graphql:2: /healthz is a path of the server itself.\n',
    );
  });
});

/** A copy of the source tree without this repository's tests and data, which a test may change. */
async function copyOfTheTree(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'portico-tree-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const name of ['docs', 'package.json', 'resolvers', 'rest', 'schema', 'src']) {
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}
