/**
 * Third-party suites and clients against a running server, on either engine: the findings of strict
 * implementations of the standards. The output ends with a table.
 * npm run suites
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { serverAudits } from 'graphql-http';
import { parseItem, parseList, serializeItem } from 'structured-headers';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { formatColumns } from '../../bench/table.ts';
import { signIn } from '../faults/client.ts';
import { eventIds, FLAWLESS, flawsOf, logEnd, startWriters } from '../faults/log-writers.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { followWithAll } from '../support/stream-clients.ts';

const run = promisify(execFile);
const servers = manageServers(afterAll);

/** The table: the findings of each suite, by engine. */
const results: [suite: string, engine: string, result: string][] = [];

afterAll(() => {
  process.stdout.write(`\n${formatColumns(['suite', 'engine', 'result'], results)}\n\n`);
});

/** Rules that the server's openapi.json breaks, and why. */
const EXCEPTED: Readonly<Record<string, string>> = {
  'operation-2xx-response': 'a former path only responds with 301',
  'operation-4xx-response': 'pages of the server itself take no input that could be invalid',
  'operation-description': 'the summary is complete',
  'info-license': 'described by the operator',
  'info-contact': 'described by the operator',
  'oas3-operation-security-defined': 'since 3.1 every scheme may list required scopes, not only OAuth 2.0',
};

/** Modes of slowhttptest, each with a suitable target. */
const ATTACKS = {
  'slow headers': ['-H', '/healthz'],
  'slow body': ['-B', '/v1/auth/login', '-f', 'application/json'],
  ranges: ['-R', '/openapi.json'],
  'slow read': ['-X', '/openapi.json', '-k', '3', '-w', '1', '-y', '512', '-n', '2', '-z', '32'],
} as const;

/** Seconds for each mode: longer than the timeout for request headers, so that slow clients are cut off. */
const ATTACK_SECONDS = 13;

/** Structured fields in responses (RFC 9651), with their parsers. */
const STRUCTURED: Readonly<Record<string, (value: string) => unknown>> = {
  'ratelimit-policy': parseList,
  ratelimit: parseList,
  deprecation: parseItem,
};

/** Whether a Debian program is installed. In CI it is required. */
async function requireProgram(name: string, skip: TestContext['skip']): Promise<void> {
  const isThere = await run('which', [name]).then(
    () => true,
    () => false,
  );
  if (!isThere && process.env['CI'] === 'true') throw new Error(`${name} is not installed.`);
  skip(!isThere, `${name} is not installed`);
}

/** Problems that linters find in a description, cached by its text: it is the same on every engine. */
const lintings = new Map<string, Promise<readonly string[]>>();

function linted(source: string, by: 'Redocly' | 'Spectral'): Promise<readonly string[]> {
  const key = `${by} ${source}`;
  const known = lintings.get(key) ?? (by === 'Redocly' ? byRedocly(source) : bySpectral(source));
  lintings.set(key, known);
  return known;
}

/** The rule of Spectral that examples match their schemas. */
const EXAMPLES = 'oas3-valid-media-example';

async function byRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

async function bySpectral(source: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  const examples = oas.rules[EXAMPLES];
  // Redocly validates the other examples. Spectral compiles the schema of each one, wherever it is used, which takes most of its time.
  const rules = {
    [EXAMPLES]: {
      ...examples,
      given: '$..headers..[?(@ && @.schema && (@.example !== void 0 || @.examples))]',
    },
  };
  // The packages were published with different versions of one type.
  linter.setRuleset({ extends: [[oas, 'recommended']], rules } as never);
  return (await linter.run(source)).map(({ code, message }) => `${code}: ${message}`);
}

const isExcepted = (problem: string) => problem.slice(0, problem.indexOf(':')) in EXCEPTED;

describeEachEngine('outside suites', (engine) => {
  const settings = {
    PUBLIC_URL: 'https://portico.example',
    API_LICENSE: 'Apache-2.0',
    API_CONTACT: 'api@portico.example',
  };
  let server: ServerProcess;
  let token: string;

  beforeAll(async () => {
    const place = await engine.create('demo');
    server = await servers.start({ env: { ...settings, DATABASE_URL: place.url } });
    token = await signIn(server.url);
  });

  const note = (suite: string, result: string) => results.push([suite, engine.name, result]);
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });

  test.concurrent('graphql-http audits', async () => {
    const audits = serverAudits({ url: `${server.url}/graphql` });
    const failures: string[] = [];
    for (const { id, name, fn } of audits) {
      const { status } = await fn();
      if (status !== 'ok') failures.push(`${id} ${name}: ${status}`);
    }
    note('graphql-http audits', `${audits.length - failures.length} of ${audits.length}`);
    expect(failures).toEqual([]);
  });

  test.concurrent('clients through restarts', async () => {
    const place = await engine.create('demo');
    const directory = await servers.directory();
    const env = { ...settings, DATABASE_URL: place.url };
    let own = await servers.start({ directory, env });
    const ownToken = await signIn(own.url);
    const { id, cursor } = await logEnd(own.url, ownToken);
    const followers = await followWithAll({ url: () => own.url, token: ownToken, after: cursor });
    const writers = startWriters([own.url], ownToken, 2);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await writers.more(20);
      await own.end(signal);
      own = await servers.start({ directory, env: { ...env, PORT: String(own.port) } });
    }
    await writers.more(20);
    await writers.finish(writers.written);
    const written = await eventIds(place, id);
    await waitUntil(
      () => followers.every(({ received }) => received.at(-1)?.id === written.at(-1)),
      'every client to have the last event',
    ).catch(() => undefined);
    const flaws = followers.map((follower) => [follower.name, flawsOf(follower, written)] as const);
    for (const follower of followers) follower.stop();
    for (const [name, flaw] of flaws) {
      const isFlawless = JSON.stringify(flaw) === JSON.stringify(FLAWLESS);
      note(
        `${name}, killed and stopped`,
        isFlawless ? `${written.length} of ${written.length} events` : JSON.stringify(flaw),
      );
    }
    expect(flaws).toEqual(followers.map(({ name }) => [name, FLAWLESS]));
  });

  test.concurrent('structured headers', async () => {
    const charge = { method: 'POST', body: JSON.stringify({ amount: 1999, source: 'tok_visa' }) };
    const key = serializeItem(['suites-1', new Map()]);
    const v2 = {
      method: 'POST',
      body: JSON.stringify({ amount: { value: 1, currency: 'USD' }, source: 'tok_visa' }),
    };
    const json = { 'content-type': 'application/json' };
    const responses = await Promise.all([
      get('/v1/orders/1'),
      get('/feed?limit=1'),
      get('/graphql?query={me{id}}'),
      get('/v1/charges', { ...charge, headers: json }),
      get('/v2/charges', { ...v2, headers: { ...json, 'idempotency-key': key } }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201]);
    const parsed = responses.flatMap(({ headers }) =>
      Object.entries(STRUCTURED).flatMap(([name, parse]) => {
        const value = headers.get(name);
        return value === null ? [] : [{ name, parsed: parse(value) }];
      }),
    );
    note('structured headers', `${parsed.length} fields`);
    expect(new Set(parsed.map(({ name }) => name))).toEqual(new Set(Object.keys(STRUCTURED)));
  });

  test.concurrent('promtool', async ({ skip }) => {
    await requireProgram('promtool', skip);
    const metrics = await (await get('/metrics')).text();
    const program = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
    program.stdin.end(metrics);
    const [[code], out, err] = await Promise.all([
      once(program, 'close'),
      text(program.stdout),
      text(program.stderr),
    ]);
    const lines = `${out}${err}`.split('\n').filter((line) => line !== '');
    note('promtool check metrics', `${lines.length} problems`);
    expect([code, lines]).toEqual([0, []]);
  });

  // These depend only on HTTP, whatever the engine.
  const attacks = runsAllCases(engine) ? Object.entries(ATTACKS) : [];
  for (const [name, [mode, path, ...more]] of attacks) {
    // An attack that succeeds does so each time; a pause of the machine, once.
    test.concurrent(`slowhttptest, ${name}`, { retry: 2 }, async ({ skip }) => {
      await requireProgram('slowhttptest', skip);
      const { stdout } = await run('slowhttptest', [
        ...[mode, '-u', `${server.url}${path}`, ...more],
        ...['-c', '200', '-r', '100', '-i', '2', '-p', '10', '-l', String(ATTACK_SECONDS)],
      ]);
      // It probes the server once a second, over its own connection.
      const answers = [...stripVTControlCharacters(stdout).matchAll(/service available:\s+(\w+)/g)].map(
        ([, response]) => response,
      );
      const available = answers.filter((response) => response === 'YES').length;
      note(`slowhttptest, ${name}`, `available ${available} of ${answers.length} times`);
      expect(answers.length).toBeGreaterThan(0);
      expect(available).toBe(answers.length);
      expect((await get('/healthz')).status).toBe(200);
    });
  }

  // They use the processor for seconds, so nothing else is measured meanwhile.
  test.each(['Redocly', 'Spectral'] as const)('%s', async (linter) => {
    const problems = await linted(await (await get('/openapi.json')).text(), linter);
    const found = problems.filter((problem) => !isExcepted(problem));
    const title = linter === 'Redocly' ? 'Redocly, recommended-strict' : 'Spectral, recommended';
    note(title, `${found.length} problems, ${problems.length - found.length} excepted`);
    expect(found).toEqual([]);
  });
});
