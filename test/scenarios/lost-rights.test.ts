/**
 * Credentials whose rights were revoked have only the remaining rights, through every root field, route and
 * door. Reads follow at once in the process that revoked the rights, and within a second in others; writes
 * follow at once everywhere.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { accessOf } from '../../src/graphql/directives/auth.ts';
import type { GraphCall, RouteCall } from '../access/shared/calls.ts';
import { createFixtures, type Fixtures } from '../access/shared/fixtures.ts';
import { factsOf, GRAPH_CALLS, ROUTE_CALLS } from '../access/shared/rules.ts';
import { rootFields, routeName, routes } from '../support/api.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite, runsAllCases } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { addMember, signIn } from '../support/fixtures/members.ts';
import { placeOrder, TWO_LAMPS } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream, SocketClient, subscribe } from '../support/raw-clients.ts';
import { membersOf } from '../support/test-doubles.ts';
import { LOSSES, type Loser, type Loss, newLoser, restoring } from './lost-rights.ts';

/** Operations that are refused for every caller before anything is written; a key has no feed of its own. */
const NEVER = factsOf('refusedFirst');
const NEVER_BY_KEY: typeof NEVER = { ...NEVER, 'Mutation.markFeedRead': 'forbidden' };

type Headers = Readonly<Record<string, string>>;

const guarded = rootFields.filter(
  ({ field, operation }) => operation !== 'subscription' && accessOf(field) !== 'public',
);
const mutations = guarded.filter(({ operation }) => operation === 'mutation');
const open = new Set(routes.filter(({ root }) => accessOf(root.field) === 'public').map(routeName));
const guardedRoutes = Object.keys(ROUTE_CALLS).filter((name) => !open.has(name));

const graphCall = (name: string, fixtures: Fixtures) => {
  const make = GRAPH_CALLS[name];
  if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
  return make(fixtures);
};
const routeCall = (name: string, fixtures: Fixtures) => {
  const make = ROUTE_CALLS[name];
  if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
  return make(fixtures);
};

/** Calls a function for each name in sequence. @returns the results by name. */
async function each<T>(
  names: readonly string[],
  of: (name: string) => T | Promise<T>,
): Promise<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const name of names) found[name] = await of(name);
  return found;
}

async function askGraph(app: TestApp, { document, variables }: GraphCall, headers: Headers): Promise<string> {
  const response = await app.graphql(document, variables, { headers });
  const codes = codesOf(response);
  return codes.length > 0 ? codes.join() : 'ok';
}

async function askRoute(app: TestApp, name: string, call: RouteCall, headers: Headers): Promise<number> {
  const [method = '', template = ''] = name.split(' ');
  const { params = {}, body, text, headers: own } = call;
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => String(params[parameter]));
  const sent = { ...(body !== undefined && { body }), ...(text !== undefined && { text }) };
  return (await app.request(method, path, { headers: { ...headers, ...own }, ...sent })).status;
}

// Whether each engine knows the current rights is tested through every door below. This tests which
// operations check them.
describeOnSqlite('revoked rights', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);
  let viewer: Headers = {};

  beforeAll(async () => {
    const { token } = await signIn(app, await addMember(app, 'viewer'));
    viewer = { authorization: `Bearer ${token}` };
  });

  describe.each(LOSSES)('of $title', (loss) => {
    let headers: Headers = {};

    beforeAll(async () => {
      const loser = await newLoser(app, loss);
      const used = await app.get('/v1/products', { headers: loser.headers });
      expect(used.status).toBe(200);
      await loss.take(app, loser);
      ({ headers } = loser);
    });

    // The calls are built first, so that the test can assert that those without any right change nothing.
    test('allow nothing more through any root field', async () => {
      const names = guarded.map(({ name }) => name);
      const calls = await each(names, (name) => graphCall(name, fixtures));
      const ask = (as: Headers) => each(names, (name) => askGraph(app, calls[name] as GraphCall, as));
      const expected = loss.code
        ? Object.fromEntries(names.map((name) => [name, loss.code]))
        : await ask(viewer);
      expect(await (loss.code ? writesNothing(app, () => ask(headers)) : ask(headers))).toEqual(expected);
    });

    test('allow nothing more through any route', async () => {
      const calls = await each(guardedRoutes, (name) => routeCall(name, fixtures));
      const ask = (as: Headers) =>
        each(guardedRoutes, (name) => askRoute(app, name, calls[name] as RouteCall, as));
      const expected = loss.code
        ? Object.fromEntries(guardedRoutes.map((name) => [name, 401]))
        : await ask(viewer);
      expect(await (loss.code ? writesNothing(app, () => ask(headers)) : ask(headers))).toEqual(expected);
    });
  });
});

describeEachEngine('rights revoked on another instance', (engine) => {
  const here = startApp(engine);
  const there = startApp(engine);

  test.each(LOSSES)('of $title end within a second, through every door', async (loss) => {
    const loser = await newLoser(there, loss);
    const { headers } = loser;
    const { authorization = '' } = headers;
    const socket = await new SocketClient(there.port).open({ authorization });
    socket.send(subscribe('before', '{ apiKeys(first: 1) { nodes { id } } }'));
    expect(await socket.got(({ id }) => id === 'before')).toMatchObject({ type: 'next' });

    await loss.take(here, loser);
    await sleep(LIMITS.presenceAge);

    const code = loss.code ?? 'insufficient_role';
    const status = loss.code ? 401 : 403;
    const query = '{ apiKeys(first: 1) { nodes { id } } }';
    expect((await there.get('/v1/api-keys', { headers })).status).toBe(status);
    expect(codesOf(await there.graphql(query, {}, { headers }))).toEqual([code]);
    const events = await openEventStream(`${there.url}/graphql`, '', { authorization }, query);
    expect([events.answer.statusCode, events.text]).toEqual(
      loss.code ? [401, expect.anything()] : [200, expect.anything()],
    );
    events.stop();
    if (loss.code) {
      const feed = await openEventStream(`${there.url}/feed`, '', { authorization });
      expect(feed.answer.statusCode).toBe(401);
      feed.stop();
    }
    // The server may have closed the socket already.
    if (!socket.closed) socket.send(subscribe('after', query));
    const message = await socket.got(({ id }) => id === 'after').catch(() => undefined);
    expect(JSON.stringify(message ?? socket.closed)).toMatch(new RegExp(`${code}|4403`));
    socket.socket.close();
  });
});

/** One change for each way to revoke rights. */
const OF_EACH_CHANGE = LOSSES.filter(
  ({ sql }, index) => LOSSES.findIndex((earlier) => earlier.sql === sql) === index,
);

describeEachEngine('rights revoked during a change', (engine) => {
  let interfere: (() => Promise<unknown>) | undefined;
  /** Runs once, between the door and the transaction. */
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    async transaction(work, signal) {
      const before = interfere;
      interfere = undefined;
      await before?.();
      return database.transaction(work, signal);
    },
  });
  const app = startApp(engine, { around });
  const fixtures = createFixtures(app, engine);

  const losses = runsAllCases(engine) ? LOSSES : OF_EACH_CHANGE;
  // All changes check the rights with the same statement, so each one is tested with one of these losses on PostgreSQL.
  const changesOf = (loss: Loss) =>
    mutations.filter((_, index) => runsAllCases(engine) || index % losses.length === losses.indexOf(loss));
  describe.each(losses)('of $title', (loss) => {
    let loser: Loser;

    beforeAll(async () => {
      loser = await newLoser(app, loss);
      // The last use of a key is written once, in a transaction of its own.
      interfere = async () => {};
      await app.get('/v1/products', { headers: loser.headers });
      if (loss.withKey) await waitUntil(() => interfere === undefined, 'the last use to be written');
    });

    test.each(changesOf(loss).map(({ name }) => name))('%s writes nothing', async (name) => {
      const call = await graphCall(name, fixtures);
      interfere = () => engine.place.query(loss.sql(loser));
      const outcome = await writesNothing(app, () => askGraph(app, call, loser.headers));
      interfere = undefined;
      for (const sql of restoring(loser)) await engine.place.query(sql);
      const never = loss.withKey ? NEVER_BY_KEY : NEVER;
      // A request that changes nothing succeeds.
      expect(outcome, 'the request in test/access/ must change something').toBe(
        never[name] ?? loss.code ?? 'insufficient_role',
      );
    });
  });
});

describeEachEngine('many concurrent changes', (engine) => {
  const app = startApp(engine);
  const WRITERS = 6;
  const ROUNDS = 2;

  const write = (loser: Loser, kind: number) =>
    kind % 2
      ? app.post('/v1/users/1/orders', {
          headers: loser.headers,
          body: { items: TWO_LAMPS },
        })
      : app.post('/v1/orgs/acme/docs', {
          headers: loser.headers,
          body: { title: 'Race', body: '', classification: 'internal' },
        });

  const ENDINGS: Readonly<Record<string, string>> = {
    'a removed person': 'user.removed',
    "a removed person's API key": 'user.removed',
    'a deleted API key': 'api_key.revoked',
    'a demoted person': 'user.role_changed',
  };

  describe.each(LOSSES)('of $title', (loss: Loss) => {
    engine.testConcurrent('none has an event after the one that revokes the right', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const loser = await newLoser(app, loss);
        const [before] = (await app.events()).slice(-1);
        let taken = false;
        let written = 0;
        const writers = Array.from({ length: WRITERS }, async (_, kind) => {
          for (;;) {
            const { status } = await write(loser, kind);
            if (status === 201) written += 1;
            else return [401, 403].includes(status) && taken ? undefined : status;
          }
        });
        await expect.poll(() => written).toBeGreaterThan(WRITERS);
        const others = placeOrder(app);
        taken = true;
        await loss.take(app, loser);
        await others;
        expect(await Promise.all(writers)).toEqual(writers.map(() => undefined));

        const events = (await app.events(before?.id)).filter(({ actorId }) => actorId === loser.member.id);
        const [end] = (await app.events(before?.id)).filter(({ type }) => type === ENDINGS[loss.title]);
        expect(events).toHaveLength(written);
        expect(events.filter(({ id }) => id > (end?.id ?? 0))).toEqual([]);
      }
    });
  });
});
