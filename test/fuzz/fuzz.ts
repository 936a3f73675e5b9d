/**
 * Sends random and mutated documents and REST requests to the whole server, with a fixed seed. Exits with 1
 * for a 5xx response, an unhandled rejection, or growing memory.
 * npm run fuzz -- [number of requests]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { installDemo } from '../../src/cli/demo/install.ts';
import { systemClock } from '../../src/core/clock.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { api, routes } from '../support/api.ts';
import { HOSTILE_DOCUMENTS } from '../support/inputs/hostile-documents.ts';
import { randomQuery } from '../support/inputs/random-queries.ts';
import { DEFAULTS, settingsWith } from '../support/settings.ts';

const SEED = 20_260_801;
const AT_ONCE = 32;
const PLENTY = { points: 1_000_000_000, perSecond: 1_000_000_000 };
/** The maximum growth of the heap in bytes between the first tenth and the end, both after garbage collection. */
const GROWTH = 64 * 1024 * 1024;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Replaces a random part of a text. */
const mutated = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(
      texts,
      fc.nat(),
      fc.nat(20),
      fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.constantFrom('{', '}', '(', '$', '...', '"', '\\u0000', '@', '-1', 'null', '[', '#'),
      ),
    )
    .map(([text, at, length, piece]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + piece + text.slice(start + length);
    });

const documents = fc.oneof(
  randomQuery(3).map(({ query }) => query),
  mutated(randomQuery(2).map(({ query }) => query)),
  mutated(fc.constantFrom(...HOSTILE_DOCUMENTS.map(({ query }) => query.slice(0, 4000)))),
  fc.string({ maxLength: 200 }),
);

const overGraphQL: fc.Arbitrary<Request> = fc
  .record({
    query: documents,
    variables: fc.oneof(
      fc.constant({ no: false }),
      fc.dictionary(fc.constantFrom('n', 'm', 'no', 'x', '__proto__'), fc.jsonValue()),
    ),
    operationName: fc.constantFrom(undefined, null, '', 'A'),
    extensions: fc.constantFrom(
      undefined,
      {},
      { persistedQuery: {} },
      { persistedQuery: { version: 1, sha256Hash: 'a' } },
    ),
  })
  .map((body) => ({ method: 'POST', path: '/graphql', headers: JSON_TYPE, body: JSON.stringify(body) }));

const pathPieces = fc.oneof(
  fc.constantFrom('1', '7', 'acme', '0', '-1', '1e3', '%00', '..', '%2F', '9007199254740993'),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);

const overRest: fc.Arbitrary<Request> = fc
  .record({
    route: fc.constantFrom(...routes),
    pieces: fc.array(pathPieces, { minLength: 4, maxLength: 4 }),
    query: fc.dictionary(
      fc.constantFrom('limit', 'page', 'cursor', 'sort', 'status', 'x', 'type'),
      fc.oneof(fc.constantFrom('1', '-1', '101', 'pending', '-created_at', ''), fc.string({ maxLength: 20 })),
    ),
    body: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string({ maxLength: 50 }),
      fc.constant(undefined),
      mutated(
        fc.constant('{"items":[{"product_id":1,"qty":2}],"status":"cancelled","title":"a","body":"b"}'),
      ),
    ),
    ifMatch: fc.constantFrom(undefined, '"1"', 'W/"1"', '*', 'x'),
    type: fc.constantFrom(
      'application/json',
      'application/json; charset=utf-7',
      'text/plain',
      'application/json;;',
    ),
  })
  .map(({ route, pieces, query, body, ifMatch, type }) => {
    let piece = 0;
    const path = route.path.replace(/\{\w+\}/g, () => pieces[piece++ % pieces.length] ?? '1');
    const search = new URLSearchParams(query).toString();
    const hasBody = body !== undefined && route.method !== 'GET';
    return {
      method: route.method,
      path: search ? `${path}?${search}` : path,
      headers: { ...(hasBody && { 'content-type': type }), ...(ifMatch && { 'if-match': ifMatch }) },
      body: hasBody ? body : undefined,
    };
  });

async function main(count: number): Promise<void> {
  const failures: string[] = [];
  const note = (what: string) => failures.push(what.slice(0, 2000));
  process.on('unhandledRejection', (reason) => note(`unhandled rejection: ${reason}`));
  process.on('uncaughtException', (error) => note(`uncaught exception: ${error.stack}`));

  const directory = await mkdtemp(join(tmpdir(), 'portico-fuzz-'));
  const url = `file:${join(directory, 'fuzz.db')}`;
  await migrate(url);
  const database = await openDatabase({ ...DEFAULTS.database, url });
  await installDemo(database, hashPassword);
  const keys = await loadKeys({
    file: join(directory, 'keys.json'),
    createWhenMissing: true,
    clock: systemClock,
  });
  const app = await createApp({
    config: settingsWith({
      http: { publicUrl: 'https://portico.test' },
      budget: PLENTY,
      operations: { patience: 600_000 },
    }),
    api,
    database,
    keys,
    clock: systemClock,
    logger: pino({ level: 'error' }, { write: (line: string) => void note(line) }),
    gateway: createSandbox({ database, clock: systemClock, late: 1 }),
  });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  // A TCP server that listens has an address with a port.
  const base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const statuses = new Map<number, number>();

  const send = async (token: string, { method, path, headers, body }: Request): Promise<void> => {
    const authorization = { authorization: `Bearer ${token}` };
    try {
      const response = await fetch(base + path, {
        method,
        headers: { ...headers, ...authorization },
        redirect: 'manual',
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status >= 500 && response.status !== 502)
        note(`${response.status} for ${method} ${path} ${body}: ${text}`);
    } catch (error) {
      note(`no response to ${method} ${path} ${body}: ${error}`);
    }
  };
  const signIn = async () => {
    const body = JSON.stringify({ email: 'ada@acme.test', password: DEMO_PASSWORD });
    const response = await fetch(`${base}/v1/auth/login`, { method: 'POST', headers: JSON_TYPE, body });
    // Checks that the route responds; otherwise every request below would fail.
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };

  const began = performance.now();
  const batch = 1000;
  let first = 0;
  for (let done = 0; done < count; done += batch) {
    const token = await signIn();
    const requests = fc.sample(fc.oneof(overGraphQL, overRest), { seed: SEED + done, numRuns: batch });
    for (let next = 0; next < batch; next += AT_ONCE) {
      await Promise.all(requests.slice(next, next + AT_ONCE).map((request) => send(token, request)));
    }
    if (done <= count / 10) first = heap();
    if (failures.length > 20) break;
  }
  const growth = heap() - first;
  if (growth > GROWTH) note(`the heap has grown by ${Math.round(growth / 1024 / 1024)} MiB`);
  await app.http.close();
  await database.close();
  await rm(directory, { recursive: true });

  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${[...statuses.values()].reduce((a, b) => a + b, 0)} responses in ${seconds} s (${counts.join(', ')}); the heap has grown by ${Math.round(growth / 1024)} KiB\n`,
  );
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

await main(Number(process.argv[2] ?? 100_000));
