/**
 * Kills servers at random moments while they charge and refund through a slow gateway, with clients that
 * never retry. The reconciler of the last server completes everything: nothing stays pending, nothing moves
 * twice, and the charges match the gateway's books.
 * By default, a few kills. For more: `KILLS=300 npx vitest run test/faults/charging-kills.test.ts`.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine } from '../support/engines.ts';
import { booksOf } from './books.ts';
import { ChargingServer, endServers, makeApiKey } from './charging.ts';

const KILLS = Number(process.env['KILLS'] ?? 2);

vi.setConfig({ testTimeout: 300_000 + KILLS * 20_000 });

/** The maximum delay of the gateway in milliseconds, applied twice per request. */
const SLOW = 120;

/** Concurrent clients. Each continues until its server is killed. */
const CLIENTS = 6;

/** Milliseconds by which the last server's clock is ahead, so that every open charge is due. */
const LATER = 2 * 3_600_000;

const HOPELESS = 60_000;

describeEachEngine('servers that are killed at random moments', (engine) => {
  let directory = '';
  let place: TestDatabase;
  let authorization = '';
  let first: ChargingServer;

  const start = (ahead = 0) =>
    ChargingServer.start({
      url: place.url,
      keysFile: join(directory, 'keys.json'),
      ahead,
      slow: SLOW,
      reconcileInterval: 200,
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'portico-kills-'));
    if (!engine.concurrent) return;
    place = await engine.create('demo');
    first = await start();
    authorization = await makeApiKey(first.url);
  });
  afterAll(async () => {
    endServers();
    await rm(directory, { recursive: true, force: true });
  });

  /** Charges and refunds until the server is killed. */
  async function client(url: string): Promise<void> {
    const post = async (path: string, body: unknown, key?: string): Promise<{ id?: number }> => {
      const headers = {
        authorization,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      };
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { id?: number };
    };
    const ways = [
      () =>
        post('/v2/charges', { amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' }, randomUUID()),
      () => post('/v1/charges', { amount: 1999, source: 'tok_visa' }),
      async () => {
        await post('/graphql', { query: CREATE, variables: { key: randomUUID() } });
        return { id: undefined };
      },
    ];
    for (;;) {
      const { id } = (await ways[randomInt(ways.length)]?.()) ?? { id: undefined };
      if (id !== undefined && randomInt(2) === 0) await post(`/v2/charges/${id}/refunds`, {});
    }
  }

  engine.testConcurrent(`leave nothing open: ${KILLS} kills`, async () => {
    const begun = Date.now();
    let victim = first;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // Starts early, because a start takes a second.
      const next = kill < KILLS ? start() : undefined;
      const { url } = victim;
      const clients = Array.from({ length: CLIENTS }, () =>
        // Its server is killed during the request, or before the next one.
        client(url).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError)),
      );
      // The first request of a new process is slow.
      await victim.asked();
      await sleep(randomInt(4 * SLOW));
      await victim.kill();
      await Promise.all(clients);
      if (next) victim = await next;
    }
    const left = await booksOf(place);

    const last = await start(LATER);
    await vi.waitFor(async () => expect((await booksOf(place)).open).toBe(0), {
      timeout: HOPELESS,
      interval: 100,
    });
    await last.kill();
    const books = await booksOf(place);
    const seconds = Math.round((Date.now() - begun) / 1000);
    process.stdout.write(
      `${engine.title}: ${KILLS} kills in ${seconds} s left ${left.open} open: ${JSON.stringify(books)}\n`,
    );
    expect(books).toMatchObject({ open: 0, movedTwice: 0, wrong: 0, unknown: 0, wrongEvents: 0 });
    expect(books.held).toBe(books.inBooks);
    expect(books.charges).toBeGreaterThanOrEqual(KILLS);
  });
});

const CREATE = `mutation ($key: String!) {
  createCharge(input: { amount: { value: 19.99, currency: "USD" }, source: "tok_visa" }, idempotencyKey: $key) { id }
}`;
