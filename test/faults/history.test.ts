/**
 * Clients of two instances write and read while machines fail in turn: a primary, a replica, an instance,
 * Redis. Afterwards every acknowledged write is stored, no money has moved twice, each client has read its
 * own writes, and each follower of the log has every event once.
 * By default, one round of short faults. `HISTORY_SECONDS=180 npx vitest run test/faults/history.test.ts`
 * runs longer ones for three minutes; `HISTORY_SEED` changes the order of the faults and the requests.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { findPostgres } from '../../deploy/postgres.ts';
import { PostgresCluster } from '../../deploy/postgres-cluster.ts';
import { randomIntegers } from '../support/inputs/random-integers.ts';
import { freePort, manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { manageRedis } from '../support/redis.ts';
import { type Following, followWithAll } from '../support/stream-clients.ts';
import { booksOf } from './books.ts';
import { type Queried, signIn, storedOrders, strayEvents } from './client.ts';
import { History } from './history.ts';
import { HistoryClient, type Instance } from './history-client.ts';
import { FAULTS, type Machines, type Times } from './history-faults.ts';
import { eventIds, FLAWLESS, flawsOf, logEnd } from './log-writers.ts';

const SECONDS = Number(process.env['HISTORY_SECONDS'] ?? 0);
const SEED = Number(process.env['HISTORY_SEED'] ?? 1);

/** Clients that write continuously. Many are for long rounds. */
const CLIENTS = SECONDS > 0 ? 8 : 4;

const SHORT: Times = { noticed: 300, replicaAway: 500, lag: 600, redisAway: 1000, instanceStopped: 1500 };
const LONG: Times = {
  noticed: 1000,
  replicaAway: 5000,
  lag: 5000,
  redisAway: 10_000,
  instanceStopped: 15_000,
};

/** Milliseconds between two faults. */
const CALM = SECONDS > 0 ? 1000 : 300;

/** Milliseconds for pending requests: a key becomes free 20 seconds after its instance was killed. */
const DRAIN = 30_000;

vi.setConfig({ testTimeout: 300_000 + SECONDS * 2000 });

const servers = manageServers(afterAll);
const redisServers = manageRedis(afterAll);
const followers: Following[] = [];
const programs = await findPostgres();
let folder: string | undefined;
let cluster: PostgresCluster | undefined;

afterEach(async () => {
  for (const follower of followers) follower.stop();
  await cluster?.stop('SIGKILL');
  if (folder) await rm(folder, { recursive: true, force: true });
});

const say = (line: string) => void process.stdout.write(`history: ${line}\n`);

async function startPostgres(): Promise<PostgresCluster> {
  folder = await mkdtemp(join(tmpdir(), 'portico-history-'));
  // PostgreSQL runs as another system user.
  await chmod(folder, 0o755);
  cluster = new PostgresCluster(programs ?? '', folder);
  await cluster.start([await freePort(), await freePort(), await freePort()]);
  // With this lag, a client that reads its own write from a replica without its position reads stale data.
  await cluster.replicas[0]?.set('recovery_min_apply_delay', '300ms');
  return cluster;
}

/** Users with the demo password, and their tokens. Two clients share each user, like two tabs of a browser. */
async function addPeople({ query }: Queried, url: string) {
  const rows = await query(`
    insert into users (org, email, name, role, password_hash, created_at, updated_at)
    select org, 'client' || n || '@acme.test', name, role, password_hash, created_at, updated_at
    from users, generate_series(1, ${CLIENTS / 2}) n where email = 'ada@acme.test' returning id, email`);
  return Promise.all(
    rows.map(async ({ id, email }) => ({ id: Number(id), token: await signIn(url, String(email)) })),
  );
}

/** All faults in an order that depends on the seed, repeated until the time is over. */
async function haveFaults(machines: Machines): Promise<void> {
  const random = randomIntegers(SEED);
  const end = performance.now() + SECONDS * 1000;
  do {
    const round = Object.entries(FAULTS)
      .map((fault) => ({ fault, place: random(0, 1_000_000) }))
      .sort((a, b) => a.place - b.place);
    for (const {
      fault: [name, happen],
    } of round) {
      await sleep(CALM);
      const before = machines.history.acknowledged.length;
      say(name);
      Object.assign(machines.history, { fault: name, faultAt: performance.now() });
      await happen(machines);
      say(`${machines.history.acknowledged.length - before} writes meanwhile`);
    }
  } while (performance.now() < end);
  await sleep(CALM);
}

/** Compares the tables with the acknowledged writes. */
async function compare(place: Queried, clients: readonly HistoryClient[], unresolved: number): Promise<void> {
  const stored = await storedOrders(place);
  const ids = new Set(stored.map(({ id }) => id));
  const placed = clients.flatMap(({ orders }) => orders);
  expect(placed.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(placed).size).toBe(placed.length);
  expect(stored.length - placed.length).toBeLessThanOrEqual(unresolved);
  expect(stored.filter(({ items, announced }) => items !== 1 || announced !== 1)).toEqual([]);
  expect(await strayEvents(place)).toEqual([]);

  const titles = new Map(
    (await place.query('select id, title from documents')).map(({ id, title }) => [
      Number(id),
      String(title),
    ]),
  );
  const documents = clients.flatMap((client) => client.documents);
  const numberOf = (id: number) => Number(titles.get(id)?.replace('title ', ''));
  expect(documents.filter(({ id, acknowledged }) => !(numberOf(id) >= acknowledged))).toEqual([]);

  const books = await booksOf(place);
  const charged = clients.flatMap(({ charges }) => charges);
  expect(new Set(charged).size).toBe(charged.length);
  expect(books).toMatchObject({ movedTwice: 0, wrong: 0, unknown: 0, wrongEvents: 0, open: 0 });
  expect(books.held).toBe(books.inBooks);
  expect(books.charges - charged.length).toBeLessThanOrEqual(unresolved);
}

test.skipIf(programs === undefined)(
  'machines fail, and clients see no error except 503',
  async ({ skip }) => {
    const redis = await redisServers.start(skip);
    const postgres = await startPostgres();
    const env = {
      DATABASE_URL: postgres.url,
      DATABASE_REPLICA_URLS: postgres.replicaUrls,
      REDIS_URL: redis.url,
      AUTH_KEYS_FILE: join(await servers.directory(), 'keys.json'),
      PUBLIC_URL: 'http://portico.test',
    };
    const restart = ({ port }: ServerProcess) => servers.start({ env: { ...env, PORT: String(port) } });
    const instances: (Instance & { server: ServerProcess })[] = [];
    for (let count = 0; count < 2; count += 1) {
      const server = await servers.start({ env });
      instances.push({ url: server.url, server, isStopped: false });
    }
    const [first = ''] = instances.map(({ url }) => url);
    const place: Queried = { query: (sql) => postgres.primary.query(sql) };
    const people = await addPeople(place, first);
    const demo = await booksOf(place);
    expect(demo.charges, 'charges of the demo data').toBe(0);

    const token = await signIn(first);
    const start = await logEnd(first, token);
    for (const from of instances.keys()) {
      let turn = from;
      const url = () => instances[turn++ % instances.length]?.url ?? '';
      followers.push(...(await followWithAll({ url, token, after: start.cursor })));
    }

    const history = new History();
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const person = people[index % people.length];
      if (!person) throw new Error('Each client has a user.');
      return new HistoryClient(instances, person, history, SEED * 1000 + index);
    });
    const running = Promise.all(clients.map((client) => client.run()));
    const times = SECONDS > 0 ? LONG : SHORT;
    await haveFaults({ cluster: postgres, redis, instances, restart, history, times, say });
    for (const client of clients) client.stop(DRAIN);
    await running;
    say(history.summary());

    expect(history.violations).toEqual([]);
    expect(history.stale).toBe(0);
    await compare(place, clients, history.unresolved);
    const written = await eventIds(place, start.id);
    await waitUntil(
      () => followers.every(({ received }) => received.at(-1)?.id === written.at(-1)),
      'every follower to have the last event',
    ).catch(() => undefined);
    say(`${followers.length} followers of ${written.length} events`);
    expect(followers.map((follower) => [follower.name, flawsOf(follower, written)])).toEqual(
      followers.map(({ name }) => [name, FLAWLESS]),
    );
  },
);
