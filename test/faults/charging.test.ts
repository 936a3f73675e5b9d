/**
 * Kills a server at each relevant point of a charge or a refund, and starts it again: the client retries with
 * its key, and the money moves once.
 * One kill per point finds a deterministic fault. For more: `KILLS=20 npx vitest run
 * test/faults/charging.test.ts`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { ChargingServer, endServers, makeApiKey } from './charging.ts';
import { POINTS, type Point } from './points.ts';

const KILLS = Number(process.env['KILLS'] ?? 1);

vi.setConfig({ testTimeout: 300_000 + KILLS * 10_000 });

const LEASE_AND_MORE = 60_000;

/** Points that depend on the engine. The others share their code, so SQLite is enough. */
const OF_ENGINE: ReadonlySet<Point> = new Set(['before the commit', 'after the commit']);

interface Answer {
  readonly status: number;
  readonly text: string;
}

describeEachEngine('a server that is killed while it moves money', (engine) => {
  let directory = '';
  let place: TestDatabase;
  let server: ChargingServer | undefined;
  let authorization = '';
  let starts = 0;

  /** Returns the running server, or starts one on the same database, with a clock past all earlier leases. */
  async function running(): Promise<ChargingServer> {
    if (server) return server;
    const keysFile = join(directory, 'keys.json');
    server = await ChargingServer.start({ url: place.url, keysFile, ahead: starts * LEASE_AND_MORE });
    starts += 1;
    return server;
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'portico-charging-'));
    if (!engine.concurrent) return;
    place = await engine.create('demo');
    authorization = await makeApiKey((await running()).url);
  });
  afterAll(async () => {
    endServers();
    await rm(directory, { recursive: true, force: true });
  });

  const post = async (path: string, key: string, body?: unknown): Promise<Answer> => {
    const { url } = await running();
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization,
        'idempotency-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const charge = (key: string) => post('/v2/charges', key, CHARGE);
  const refund = (id: number, key: string) => post(`/v2/charges/${id}/refunds`, key);

  /**
   * Sends a request that kills the server, then retries twice on a new server: the second response must equal
   * the first.
   */
  async function killedAt(point: Point, ask: () => Promise<Answer>): Promise<Answer> {
    const victim = await running();
    await victim.arm(point);
    await expect(ask(), 'the response').rejects.toThrow();
    expect(await victim.exit()).toEqual([null, 'SIGKILL']);
    server = undefined;
    const response = await ask();
    expect(response.status, response.text).toBe(201);
    expect(await ask()).toEqual(response);
    return response;
  }

  const pointsOf = (points: readonly Point[]) =>
    runsAllCases(engine) ? points : points.filter((point) => OF_ENGINE.has(point));

  describe('charges once after a restart, when it is killed', () => {
    for (const point of pointsOf(POINTS)) {
      engine.testConcurrent(point, async () => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          const before = await booksOf(place);
          const key = randomUUID();
          await killedAt(point, () => charge(key));
          expect(await booksOf(place)).toEqual({
            ...before,
            unfinished: 0,
            taken: before.taken + 1,
            charges: before.charges + 1,
            succeeded: before.succeeded + 1,
            keys: before.keys + 1,
          });
        }
      });
    }
  });

  describe('refunds once after a restart, when it is killed', () => {
    for (const point of pointsOf(POINTS.slice(1, 4))) {
      engine.testConcurrent(point, async () => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          const made = await charge(randomUUID());
          const { id } = JSON.parse(made.text) as { id: number };
          const before = await booksOf(place);
          const key = randomUUID();
          const response = await killedAt(point, () => refund(id, key));
          expect(JSON.parse(response.text)).toMatchObject({ id, status: 'refunded' });
          expect(await booksOf(place)).toEqual({
            ...before,
            unfinished: 0,
            returned: before.returned + 1,
            refunded: before.refunded + 1,
            keys: before.keys + 1,
          });
        }
      });
    }
  });
});

const CHARGE = { amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' };

/**
 * The money that the gateway has moved, and the server's records of it. `unfinished` counts requests without
 * an outcome.
 */
async function booksOf({ query }: TestDatabase) {
  const [row] = await query(`
    select
      (select count(*) from sandbox_payments where moved = 1999) as taken,
      (select count(*) from sandbox_payments where moved = -1999) as returned,
      (select count(*) from charges) as charges,
      (select count(*) from events where type = 'charge.succeeded') as succeeded,
      (select count(*) from events where type = 'charge.refunded') as refunded,
      (select count(*) from idempotency_records) as keys,
      (select count(*) from idempotency_records where status = 'new')
        + (select count(*) from charges where status not in ('succeeded', 'refunded'))
        + (select count(*) from sandbox_payments where moved not in (1999, -1999)) as unfinished`);
  const count = (name: string) => Number(row?.[name]);
  return {
    taken: count('taken'),
    returned: count('returned'),
    charges: count('charges'),
    succeeded: count('succeeded'),
    refunded: count('refunded'),
    keys: count('keys'),
    unfinished: count('unfinished'),
  };
}
