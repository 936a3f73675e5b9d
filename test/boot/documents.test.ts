/** A document with a path of the server itself: known only once the server has its routes, and the start ends with just the message. */
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { DocumentError, readDocuments } from '../../src/rest/compile/documents.ts';
import { createRoutes } from '../../src/rest/routes.ts';
import { api, schema } from '../support/api.ts';
import { restFolder } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { manageServers, ROOT } from '../support/process.ts';
import { DEFAULTS } from '../support/settings.ts';

const FILE = 'v1/things.graphql';
const mineAt = (place: string) => `\nquery GetMine @rest(method: GET, ${place}) { me { id } }`;

describeOnSqlite('a document stops the start of the server that has the path', (engine) => {
  test.each([
    ['/healthz', mineAt('path: "/healthz"')],
    ['/oauth/token', mineAt('path: "/oauth/token"')],
    ['/oauth/token', mineAt('path: "/v1/mine", movedFrom: ["/oauth/token"]')],
    [
      '/oauth/interaction/{id}',
      '\nquery GetUser($id: ID!) @rest(method: GET, path: "/oauth/interaction/{id}") { user(id: $id) { id } }',
    ],
    ['/.well-known/openid-configuration', mineAt('path: "/.well-known/openid-configuration"')],
    ['/docs/orders', mineAt('path: "/docs/orders"')],
    ['/console/orders/mine', mineAt('path: "/console/orders/mine"')],
  ])('%s: %s', async (path, document) => {
    const documents = readDocuments(schema, restFolder({ [FILE]: document }, 'nothing', onTestFinished));
    const { database } = engine;
    const created = createApp({
      config: DEFAULTS,
      api: { ...api, routes: createRoutes(schema, documents, api.pricing) },
      database,
      keys: await loadKeys({
        file: join(await temporaryDirectory(), 'keys.json'),
        createWhenMissing: true,
        clock: systemClock,
      }),
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      gateway: createSandbox({ database, clock: systemClock }),
    });
    await expect(created).rejects.toThrow(
      new DocumentError('rest/v1/things.graphql:2', `${path} is a path of the server itself.`),
    );
  });
});

const servers = manageServers();

test('a process with such a document exits with only the message', async () => {
  const root = await temporaryDirectory();
  for (const name of ['docs', 'package.json', 'resolvers', 'rest', 'schema', 'src']) {
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await writeFile(join(root, 'rest', FILE), mineAt('path: "/healthz"'));
  const server = await servers.launch({ root });
  expect(await server.ended()).toEqual({ code: 1, signal: null });
  expect(server.stderr).toBe(
    'Portico cannot start: rest/v1/things.graphql:2: /healthz is a path of the server itself.\n',
  );
});

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-boot-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}
