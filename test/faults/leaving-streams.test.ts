/** Streams with one stalled or stopping end: clients that stop reading, and a server that shuts down. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { afterAll, expect } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine } from '../support/engines.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';
import { signIn } from './client.ts';
import { eventIds, logEnd, startWriters } from './log-writers.ts';

const servers = manageServers(afterAll);

const MIB = 1024 * 1024;

const SHORT = 'subscription { activity { id } }';

/** Each result has 40 KB, so that a few hundred fill the kernel's buffers for a client that stops reading. */
const LONG = `subscription { activity { id ${Array.from({ length: 20 }, (_, n) => `${'x'.repeat(2000)}${n}: id`).join(' ')} } }`;

const STALLED = 8;

/** Additional bytes that a process may use without a leak: garbage that is collected later. */
const SLACK = 250 * MIB;

interface Result {
  readonly data: { readonly activity: { readonly id: string } };
  readonly extensions: { readonly cursor: string };
}

const resultsOf = ({ messages }: SocketClient): Result[] =>
  messages.filter(({ type }) => type === 'next').map(({ payload }) => payload as Result);
const idsOf = (client: SocketClient) => resultsOf(client).map(({ data }) => Number(data.activity.id));

/** The connection of a WebSocket of ws, which its types do not expose. */
const connectionOf = ({ socket }: SocketClient) => (socket as unknown as { _socket: Socket })._socket;

async function follow(port: number, accessToken: string, query: string): Promise<SocketClient> {
  const client = await new SocketClient(port).open({ accessToken });
  client.send(subscribe('1', query));
  return client;
}

/** Resident memory of a process in bytes. */
async function memoryOf({ pid }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function openStreams({ url }: ServerProcess): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  return sumOf(readMetrics(await response.text()), 'portico_subscriptions_open');
}

describeEachEngine('streams', (engine) => {
  let scene: { place: TestDatabase; server: ServerProcess; token: string } | undefined;

  /** One server for both tests, since stalled clients leave nothing behind. */
  const start = async () => {
    if (scene) return scene;
    const place = await engine.create('demo');
    const server = await servers.start({ env: { DATABASE_URL: place.url } });
    scene = { place, server, token: await signIn(server.url) };
    return scene;
  };

  engine.testConcurrent(
    'to clients that stop reading are closed, and other clients are not affected',
    async () => {
      const { place, server, token } = await start();
      const { id: from } = await logEnd(server.url, token);
      const reader = await follow(server.port, token, SHORT);
      const stalled = await Promise.all(
        Array.from({ length: STALLED }, () => follow(server.port, token, LONG)),
      );
      for (const client of stalled) connectionOf(client).pause();
      const events = await openEventStream(`${server.url}/graphql`, token, {}, LONG);
      events.answer.pause();
      await waitUntil(async () => (await openStreams(server)) === STALLED + 2, 'all of them to begin');

      const before = await memoryOf(server);
      const writers = startWriters([server.url], token, 4);
      await waitUntil(async () => (await openStreams(server)) === 1, 'all of them to be closed');
      const bound = before + SLACK + (STALLED + 1) * LIMITS.streamBacklogBytes;
      await waitUntil(async () => (await memoryOf(server)) < bound, 'their buffers to be freed');
      await writers.finish(0);

      const written = await eventIds(place, from);
      await waitUntil(() => idsOf(reader).length >= written.length, 'the reader to have everything');
      expect(idsOf(reader)).toEqual(written);
      for (const client of stalled) connectionOf(client).resume();
      events.answer.resume();
      await waitUntil(() => events.ended, 'the end of the events');
      for (const client of stalled) {
        // A client that resumes reading too late finds its connection cut.
        expect([1006, 1013]).toContain(await client.end());
        expect(idsOf(client)).toEqual(written.slice(0, idsOf(client).length));
        if (client.closed?.code !== 1013) continue;
        expect(client.closed.reason).toBe(
          `slow_consumer; cursor=${resultsOf(client).at(-1)?.extensions.cursor}`,
        );
      }
      expect(events.text).not.toContain('event: complete');
      reader.socket.terminate();
      await waitUntil(async () => (await openStreams(server)) === 0, 'all clients to be gone');
    },
  );

  engine.testConcurrent(
    'of a server that shuts down end with a notice and the cursor to resume from',
    async () => {
      const { server, token } = await start();
      const socket = await follow(server.port, token, SHORT);
      const feed = await openEventStream(`${server.url}/feed`, token);
      const graph = await openEventStream(`${server.url}/graphql`, token, {}, SHORT);
      await waitUntil(async () => (await openStreams(server)) === 3, 'all of them to begin');
      const writers = startWriters([server.url], token, 2);
      await writers.more(5);
      await writers.finish(0);
      await waitUntil(() => resultsOf(socket).length >= writers.written, 'the events');
      const cursor = resultsOf(socket).at(-1)?.extensions.cursor ?? '';
      await waitUntil(() => [feed, graph].every(({ lastId }) => lastId === cursor), 'the same on all');

      server.signal('SIGTERM');
      expect(await socket.end()).toBe(1012);
      expect(socket.closed?.reason).toBe(`restarting; cursor=${cursor}`);
      await waitUntil(() => feed.ended && graph.ended, 'the ends');
      const ends = [feed, graph].map(({ text }) => text.trimEnd().split('\n\n').at(-1)?.split('\n') ?? []);
      const retry = expect.stringMatching(/^retry: (1\d{3}|2000)$/);
      expect(ends[0]?.slice(0, 3)).toEqual([retry, `id: ${cursor}`, 'event: end']);
      expect(JSON.parse(ends[0]?.[3]?.replace('data: ', '') ?? '')).toMatchObject({
        code: 'restarting',
        cursor,
      });
      expect(ends[1]).toEqual([': restarting', retry, `id: ${cursor}`]);
      expect(await server.ended()).toEqual({ code: 0, signal: null });
    },
  );
});
