/**
 * A server that is killed in the middle of a charge, at each point at which that makes a difference, and started again: the
 * client asks again with its key, and the money has moved once.
 *
 * A few kills a point are enough to see a hole that is there every time. `KILLS=20 npx vitest run test/faults/charging.test.ts`
 * looks longer.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';
import { hashPassword } from '../../src/auth/passwords.ts';
import { installDemo } from '../../src/demo/install.ts';
import { describeEachEngine, type TestDatabase } from '../support/engines.ts';
import { ChargingServer, endServers, POINTS } from './charging.ts';

const KILLS = Number(process.env['KILLS'] ?? 2);

vi.setConfig({ testTimeout: 30_000 + KILLS * 10_000 });

const LEASE_AND_MORE = 60_000;

/** Once for all databases: it is slow on purpose. */
const passwordHash = hashPassword('portico-demo');

interface Answer {
  readonly status: number;
  readonly text: string;
}

describeEachEngine('a server that is killed while it charges', (engine) => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'portico-charging-'));
  });
  afterEach(endServers);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  describe('and started again charges once, when it is killed', () => {
    for (const point of POINTS) {
      engine.testConcurrent(point, async () => {
        const place = await engine.create('migrated');
        const database = await place.open();
        await installDemo(database, () => passwordHash);
        await database.close();
        const keysFile = join(directory, `${randomUUID()}.json`);
        const start = (ahead: number) => ChargingServer.start({ point, url: place.url, keysFile, ahead });

        let server = await start(0);
        const authorization = await makeApiKey(server.url);
        for (let kill = 1; kill <= KILLS; kill += 1) {
          const key = randomUUID();
          await server.arm();
          await expect(charge(server.url, authorization, key), 'the answer').rejects.toThrow();
          expect(await server.exit()).toEqual([null, 'SIGKILL']);

          server = await start(kill * LEASE_AND_MORE);
          const answer = await charge(server.url, authorization, key);
          expect(answer.status, answer.text).toBe(201);
          const again = await charge(server.url, authorization, key);
          expect(again).toEqual(answer);
          expect(await booksOf(place)).toEqual({
            moved: kill,
            payments: kill,
            charges: kill,
            events: kill,
            keys: kill,
          });
        }
        await server.kill();
      });
    }
  });
});

const CHARGE = JSON.stringify({ amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' });

async function charge(url: string, authorization: string, key: string): Promise<Answer> {
  const headers = { authorization, 'idempotency-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${url}/v2/charges`, { method: 'POST', headers, body: CHARGE });
  return { status: response.status, text: await response.text() };
}

/** A credential that outlives the clock of these servers. */
async function makeApiKey(url: string): Promise<string> {
  const post = async <Body>(path: string, body: unknown, authorization = ''): Promise<Body> => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Body;
  };
  const { access_token: token } = await post<{ access_token: string }>('/v1/auth/login', {
    email: 'ada@acme.test',
    password: 'portico-demo',
  });
  const made = await post<{ key: string }>(
    '/v1/api-keys',
    { name: 'till', scopes: ['write:charges'] },
    `Bearer ${token}`,
  );
  return `ApiKey ${made.key}`;
}

/** What the gateway has moved, and what the server has noted of it: each should be there once for each charge. */
async function booksOf({ query }: TestDatabase) {
  const [row] = await query(`
    select
      (select count(*) from sandbox_payments where moved = 1999) as moved,
      (select count(*) from sandbox_payments) as payments,
      (select count(*) from charges where status = 'succeeded') as charges,
      (select count(*) from events where type = 'charge.succeeded') as events,
      (select count(*) from idempotency_records where status = 'done') as keys`);
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
}
