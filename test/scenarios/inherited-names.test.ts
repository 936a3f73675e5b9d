/**
 * Names that every JavaScript object inherits, in each place where a client can send a name. The server must
 * not recognise them.
 */
import { describe, expect, test } from 'vitest';
import { distinctRoutes, routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { exchange } from '../support/raw-clients.ts';

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

const SERVER_PATHS = [
  '/assets/*/x.js',
  '/assets/pages/*',
  '/assets/*/*',
  '/images/*',
  '/docs/*',
  '/*',
  '/.well-known/*',
];

describeEachEngine('a name of an inherited object member', (engine) => {
  const app = startApp(engine);

  /** Sends raw bytes, since clients may send what no library would. */
  async function ask(line: string, headers: readonly string[], body = '') {
    const { token } = await app.signIn('ada');
    const common = ['Host: x', 'Connection: close', `Authorization: Bearer ${token}`];
    const length = body
      ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
      : [];
    return exchange(app.port, [`${line} HTTP/1.1`, ...common, ...length, ...headers], body);
  }

  async function expectNoFault(line: string, headers: readonly string[] = [], body?: string) {
    const before = app.log.length;
    const { status } = await ask(line, headers, body);
    expect(status, `${line} ${body}`).toBeLessThan(500);
    const errors = app.log.slice(before).filter((text) => JSON.parse(text).level >= 50);
    expect(errors, line).toEqual([]);
    return status;
  }

  // Each name runs the same statements on PostgreSQL, and so does each route that shares its operation with another one.
  const tested = runsAllCases(engine) ? routes : distinctRoutes;
  describe.each(runsAllCases(engine) ? NAMES : NAMES.slice(0, 1))('%s', (name) => {
    test.each(SERVER_PATHS)('is unknown at %s', async (path) => {
      expect(await expectNoFault(`GET ${path.replaceAll('*', name)}`)).toBe(404);
    });

    test.each(tested.map((route) => [routeName(route), route] as const))(
      'is refused by %s',
      async (_, route) => {
        const { method } = route;
        const named = route.path.replace(/\{\w+\}/g, name);
        const path = route.path.replace('{org}', 'acme').replace(/\{\w+\}/g, '1');
        const headers = [`Accept: ${name}`, `If-None-Match: ${name}`, `Idempotency-Key: ${name}`];
        await expectNoFault(`${method} ${named}`, headers, route.hasBody ? `{"${name}":1}` : undefined);
        await expectNoFault(`${method} ${path}?${name}=${name}&sort=${name}&status=${name}`, headers);
        if (!route.hasBody) return;
        const members = route.variables.map((variable) => `"${variable.name}":{"${name}":"${name}"}`);
        await expectNoFault(`${method} ${path}`, headers, `{"${name}":{},${members.join()}}`);
      },
    );

    test('is an ordinary name of an operation, a variable and a field at /graphql', async () => {
      const bodies = [
        { query: `query ${name} { me { id } }`, operationName: name },
        {
          query: `query q($${name}: ID!) { user(id: $${name}) { id } }`,
          variables: JSON.parse(`{"${name}":"1"}`),
        },
        { query: `{ ${name} }` },
        { query: `{ ${name}: me { ${name}: id } }` },
        { query: `{ me { ...${name} } } fragment ${name} on User { id }` },
        { query: '{ me { id } }', operationName: name },
        {
          query: 'mutation ($i: CreateApiKeyInput!) { createApiKey(input: $i) { id } }',
          variables: { i: JSON.parse(`{"${name}":1}`) },
        },
        { query: '{ me { id } }', extensions: JSON.parse(`{"${name}":{"${name}":1}}`) },
        { documentId: name },
      ];
      for (const body of bodies) await expectNoFault('POST /graphql', [], JSON.stringify(body));
    });
  });
});
