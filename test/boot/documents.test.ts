/** The server as a process: an invalid document stops its start, with only the error message. */
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { manageServers, ROOT } from '../support/process.ts';

describe('the server as a process', () => {
  const servers = manageServers();

  // Other documents are refused before the server has any routes, as the tests without a process show.
  test.each([
    ['/healthz', 'path: "/healthz"'],
    ['/oauth/token', 'path: "/oauth/token"'],
    ['/oauth/interaction/{id}', 'path: "/oauth/interaction/{id}"'],
    ['/.well-known/openid-configuration', 'path: "/.well-known/openid-configuration"'],
    ['/docs/orders', 'path: "/docs/orders"'],
    ['/console/orders/mine', 'path: "/console/orders/mine"'],
    ['/oauth/token', 'path: "/v1/mine", movedFrom: ["/oauth/token"]'],
  ])('exits with only the message, for a route on the path %s of the server: %s', async (path, place) => {
    const root = await copyOfTheTree();
    const variables = place.includes('{id}') ? '($id: ID!) ' : '';
    const field = variables ? 'user(id: $id)' : 'me';
    const document = `\nquery GetMine${variables} @rest(method: GET, ${place}) { ${field} { id } }`;
    await writeFile(join(root, 'rest/v1/things.graphql'), document);
    const server = await servers.launch({ root });
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.stderr).toBe(
      `Portico cannot start: rest/v1/things.graphql:2: ${path} is a path of the server itself.\n`,
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
