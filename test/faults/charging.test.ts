/**
 * A server that is killed in the middle of a charge or a refund, at each point at which that makes a difference, and started
 * again: the client asks again with its key, and the money has moved once.
 *
 * One kill a point is enough to see a hole that is there every time. `KILLS=20 npx vitest run test/faults/charging.test.ts`
 * looks longer.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { asksAll, describeEachEngine, type TestDatabase } from '../support/engines.ts';
import { ChargingServer, endServers, makeApiKey } from './charging.ts';
import { POINTS, type Point } from './points.ts';

const KILLS = Number(process.env['KILLS'] ?? 1);

vi.setConfig({ testTimeout: 300_000 + KILLS * 10_000 });

const LEASE_AND_MORE = 60_000;

/** Points at which the engine makes a difference. At the others the code is the same, and SQLite is enough. */
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

  /** The server that is there, or another one on the same database, after the leases of those before. */
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

  /** Asks, has the server die of it, and asks another one again: twice, since the second answer is the first one. */
  async function killedAt(point: Point, ask: () => Promise<Answer>): Promise<Answer> {
    const victim = await running();
    await victim.arm(point);
    await expect(ask(), 'the answer').rejects.toThrow();
    expect(await victim.exit()).toEqual([null, 'SIGKILL']);
    server = undefined;
    const answer = await ask();
    expect(answer.status, answer.text).toBe(201);
    expect(await ask()).toEqual(answer);
    return answer;
  }

  const pointsOf = (points: readonly Point[]) =>
    asksAll(engine) ? points : points.filter((point) => OF_ENGINE.has(point));

  describe('and started again charges once, when it is killed', () => {
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

  describe('and started again gives back once, when it is killed', () => {
    for (const point of pointsOf(POINTS.slice(1, 4))) {
      engine.testConcurrent(point, async () => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          const made = await charge(randomUUID());
          const { id } = JSON.parse(made.text) as { id: number };
          const before = await booksOf(place);
          const key = randomUUID();
          const answer = await killedAt(point, () => refund(id, key));
          expect(JSON.parse(answer.text)).toMatchObject({ id, status: 'refunded' });
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

/** What the gateway has moved, and what the server has noted of it. `unfinished` is what no one has brought to an end. */
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
