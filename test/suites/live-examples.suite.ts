/**
 * The live examples of docs/streams.md, unchanged, follow a server that is killed and restarted while the log
 * grows, and receive every event once and in order.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { signIn } from '../faults/client.ts';
import { eventIds, logEnd } from '../faults/log-writers.ts';
import { describeEachEngine } from '../support/engines.ts';
import { COMPILED, manageServers, ROOT, SHORT_LIVED, waitUntil } from '../support/process.ts';

/** Milliseconds for all written events to arrive. */
const ARRIVAL = 60_000;

const servers = manageServers(afterAll);
const programs: ChildProcess[] = [];

afterEach(async () => {
  const ends = programs.splice(0).map((program) => {
    const end = once(program, 'exit');
    program.kill();
    return end;
  });
  await Promise.all(ends);
});

/** The code under a heading of the guide. */
function exampleOf(heading: string): string {
  const [, section = ''] = readFileSync(join(ROOT, 'docs/streams.md'), 'utf8').split(`\n## ${heading}\n`);
  const code = /^```js\n(.*?)^```$/ms.exec(section)?.[1];
  if (!code) throw new Error(`docs/streams.md has no code under "${heading}".`);
  return code;
}

const SIGN_IN = exampleOf('Signing in and resuming');

/** The programs of a reader, with the one change that the guide describes. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'graphql-ws': exampleOf('graphql-ws'),
  'Apollo Client': exampleOf('Apollo Client'),
  urql: exampleOf('urql'),
  'graphql-sse': exampleOf('graphql-sse'),
  'graphql-sse on one connection': exampleOf('graphql-sse').replace(
    'createClient({',
    'createClient({ singleConnection: true,',
  ),
};

/** Runs a program. @returns the ids that it has printed so far, and its other output. */
async function follow(code: string, port: number) {
  const directory = await servers.directory();
  // Packages are resolved from the folder of the program.
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const file = join(directory, 'program.mjs');
  await writeFile(file, `${SIGN_IN}\n${code}`.replaceAll('localhost:4000', `127.0.0.1:${port}`));
  const program = spawn(process.execPath, [...SHORT_LIVED, file], {
    cwd: directory,
    env: { ...COMPILED },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  programs.push(program);
  let printed = '';
  let complaints = '';
  program.stdout.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
  });
  program.stderr.setEncoding('utf8').on('data', (part: string) => {
    complaints += part;
  });
  return {
    get ids() {
      return [...printed.matchAll(/^(\d+) \S+\n/gm)].map(([, id]) => Number(id));
    },
    get state() {
      return `exit code ${program.exitCode}, printed ${printed.slice(-200)}, ${complaints.slice(-500)}`;
    },
  };
}

describeEachEngine('the live examples', (engine) => {
  engine.testConcurrent('lose nothing while the server is killed and stopped', async () => {
    const place = await engine.create('demo');
    const directory = await servers.directory();
    const env = { DATABASE_URL: place.url, PUBLIC_URL: 'http://portico.test' };
    let server = await servers.start({ directory, env });
    const token = await signIn(server.url);
    const start = await logEnd(server.url, token);
    const write = async () => {
      for (let n = 0; n < 5; n += 1) {
        const response = await fetch(`${server.url}/v1/users/1/orders`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ items: [{ product_id: 1, qty: 1 }] }),
        });
        expect(response.status, await response.text()).toBe(201);
      }
    };
    const followers = await Promise.all(
      Object.entries(PROGRAMS).map(async ([name, code]) => ({ name, run: await follow(code, server.port) })),
    );
    const expectAll = async () => {
      const written = await eventIds(place, start.id);
      const stragglers = () => followers.filter(({ run }) => run.ids.at(-1) !== written.at(-1));
      await waitUntil(() => stragglers().length === 0, 'the last event everywhere', ARRIVAL).catch(
        (error: Error) => {
          throw new Error(
            `${error.message}\n${stragglers()
              .map(({ name, run }) => `${name}: ${run.state}`)
              .join('\n')}`,
          );
        },
      );
      for (const { name, run } of followers) {
        // It starts at the end of the log when it was started.
        const [first = 0] = run.ids;
        expect([name, run.ids]).toEqual([name, written.filter((id) => id >= first)]);
      }
    };
    // Each has its cursor after its first event.
    await waitUntil(
      async () => {
        await write();
        return followers.every(({ run }) => run.ids.length > 0);
      },
      'every program to follow',
      ARRIVAL,
    );
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      await write();
      await server.end(signal);
      server = await servers.start({ directory, env: { ...env, PORT: String(server.port) } });
      await write();
    }
    await expectAll();
  });
});
