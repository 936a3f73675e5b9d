/** Rules of `src/http/`: `server.ts` lists every hook and route, and no other folder uses names of HTTP headers. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A registration of a hook or a route. */
const REGISTERS = [
  'addHook',
  'route',
  'all',
  'get',
  'head',
  'post',
  'put',
  'patch',
  'delete',
  'options',
] as const;

interface Registration {
  /** The event of a hook, or the paths of a route. */
  readonly what: string;
  /** The file that registered it. */
  readonly by: string;
}

const registrations: Registration[] = [];

/** Records the registrations at a new Fastify instance, with their origin. Its scopes inherit that. */
function watch(message: unknown): void {
  // Fastify's documented channels and hooks (its reference: Hooks, Diagnostics Channel Hooks).
  const { fastify } = message as { fastify: Record<string, (...args: unknown[]) => unknown> };
  for (const name of REGISTERS) {
    const register = fastify[name];
    fastify[name] = function (this: unknown, ...args: unknown[]) {
      registrations.push({ what: whatOf(name, args[0]), by: callerOf(new Error()) });
      return register?.apply(this, args);
    };
  }
}

const whatOf = (name: string, first: unknown) =>
  name === 'route' ? (first as { url: string }).url : name === 'addHook' ? String(first) : `${name} ${first}`;

/** The file of the second stack frame: the first one is this file. */
function callerOf({ stack = '' }: Error): string {
  const file = /^\s+at .*?\(?(?:file:\/\/)?(\/[^():]+):\d+:\d+\)?$/.exec(stack.split('\n')[2] ?? '')?.[1];
  return relative(ROOT, file ?? 'unknown');
}

/** A Fastify plugin that `server.ts` registers has its own hooks. */
const MAY_REGISTER = /^(src\/http\/server[.]ts|node_modules\/@fastify\/(cors|static)\/.*)$/;

describeEachEngine(
  'hooks and routes',
  (engine) => {
    beforeAll(() => subscribe('fastify.initialization', watch));
    const app = startApp(engine);
    afterAll(() => void unsubscribe('fastify.initialization', watch));

    test('are registered only by the list in server.ts', () => {
      expect(app.port).toBeGreaterThan(0);
      const seen = registrations.map(({ what }) => what);
      expect(seen).toEqual(
        expect.arrayContaining([
          'onRequest',
          'preClose',
          'onClose',
          '/healthz',
          '/v1/orders/:order_id',
          '/graphql',
        ]),
      );
      expect(registrations.filter(({ by }) => !MAY_REGISTER.test(by))).toEqual([]);
    });
  },
  'sqlite',
);

/**
 * OpenAPI documents headers; webhooks, signatures, `portico listen` and `trigger` send requests that follow
 * third-party contracts.
 */
const MAY_NAME_HEADERS =
  /^src\/(http|rest\/openapi|webhooks|core\/signatures[.]ts|cli\/(following|listen|remote|trigger\/things)[.]ts)/;

/** A string literal that is the name of a header and not an ordinary word. */
const HEADER =
  /['"](?:(?:accept|access-control|cache|content|idempotency|idempotent|if|last|proxy|ratelimit|referrer|retry|sec|strict-transport|user|www|x)-[a-z-]+|authorization|ratelimit|set-cookie|vary)['"]/gi;

test('only the authorization server reads cookies', () => {
  const files = globSync('{src,resolvers}/**/*.ts', { cwd: ROOT });
  const reading = files.filter((file) =>
    /headers\??\.cookie|['"]cookie['"]/i.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  // oidc-provider reads its own cookies, and its sign-in page that of the device.
  expect(reading).toEqual(['src/http/oauth/interactions.ts']);
});

describe('header names', () => {
  const files = globSync('{src,resolvers}/**/*.ts', { cwd: ROOT }).filter(
    (file) => !MAY_NAME_HEADERS.test(file),
  );

  test('are in src/http only', () => {
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(HEADER)].map(([name]) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});
