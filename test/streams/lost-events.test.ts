/** A log that has lost its newest events, by restoring a backup or by a failover: clients with later cursors must reload. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCursors } from '../../src/core/cursors.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { type LogPosition, logEnd, logPosition } from '../../src/events/log-position.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import {
  type EventStreamClient,
  eventsIn,
  openEventStream,
  SocketClient,
  subscribe,
} from '../support/raw-clients.ts';
import { membersOf } from '../support/test-doubles.ts';

const LOST = 5;

/** A statement that looks for a position: when it has been reached, and when its result may be used. */
interface Look {
  readonly reached: PromiseWithResolvers<void>;
  readonly passed: PromiseWithResolvers<void>;
}

const idsOf = ({ text }: EventStreamClient): number[] =>
  [...text.matchAll(/^data: \{"id":"?(\d+)/gm)].map(([, id]) => Number(id));

describeEachEngine('a log without its newest events', (engine) => {
  /** Called with the name of each statement, before its result is used. */
  let held: (statement: string) => Promise<void> | undefined = () => undefined;
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    run: async (statement, params, signal, flow) => {
      const result = await database.run(statement, params, signal, flow);
      await held(statement.name);
      return result;
    },
  });
  const app = startApp(engine, { around });
  const cursors = createCursors(() => app.keys.secrets('cursors'));
  const cursorOf = (position: LogPosition) => logPosition.seal(cursors, 'acme', position);
  const endOfLog = () => logEnd(engine.database, 'acme');
  /** Loses the events after one, and writes others: with the ids of lost ones, or after an id that is left out. */
  const regrow = async (after: number, ids: readonly number[]) => {
    // Later than any event of the server.
    const later = engine.name === 'sqlite' ? '4102444800000' : "'2100-01-01'";
    const values = ids.map((id) => `(${id}, 'acme', 'user.updated', 1, 'user', 1, '{}', ${later})`);
    await engine.place.query(`delete from events where org = 'acme' and id > ${after}`);
    await engine.place.query(`insert into events (id, org, type, actor_id, subject_type, subject_id, data, created_at)
      values ${values.join(',')}`);
    if (engine.name === 'sqlite') return;
    await engine.place.query(`select setval(pg_get_serial_sequence('events', 'id'), max(id)) from events`);
  };
  /** Opens a stream, and waits for its first cursor. */
  const follow = async (path = '/feed') => {
    const { token } = await app.signIn('ada');
    const stream = await openEventStream(`${app.url}${path}`, token);
    await waitUntil(() => stream.lastId !== undefined, 'the start of the stream');
    return stream;
  };

  test('refuses later cursors on every subscription, and its other followers receive everything', async () => {
    const { id: order } = await placeOrder(app);
    const end = await endOfLog();
    const after = cursorOf({ id: end.id + LOST });
    const expired = { code: 'resume_expired', oldestCursor: cursorOf(end) };
    const { token } = await app.signIn('ada');
    const schema = await app.graphql<{
      __schema: { subscriptionType: { fields: { name: string; args: { name: string }[] }[] } };
    }>('{ __schema { subscriptionType { fields { name args { name } } } } }', {}, { as: 'ada' });
    const fields = schema.body.data?.__schema.subscriptionType.fields ?? [];
    expect(fields.length).toBeGreaterThan(1);
    const client = await new SocketClient(app.port).open({ accessToken: token });
    for (const { name, args } of fields) {
      const id = args.some((arg) => arg.name === 'id') ? `id: "${order}", ` : '';
      client.send(subscribe(name, `subscription { ${name}(${id}after: "${after}") { id } }`));
      const { payload } = await client.got((message) => message['id'] === name);
      expect(payload, name).toMatchObject([{ extensions: expired }]);
    }
    client.socket.close();
    for (const [path, headers] of [
      [`/feed?cursor=${after}`, {}],
      ['/feed', { 'last-event-id': after }],
    ] as const) {
      const refused = await app.get<{ error: { code: string; oldest_cursor: string } }>(path, {
        as: 'ada',
        headers: { accept: 'text/event-stream', ...headers },
      });
      expect([refused.status, refused.body.error.oldest_cursor]).toEqual([410, cursorOf(end)]);
    }
    // A page of earlier events misses none.
    const page = await app.get<{ data: { id: number }[] }>(`/feed?limit=1&cursor=${after}`, { as: 'ada' });
    expect(page.body.data[0]?.id).toBe(end.id);

    const healthy = [await follow(), await follow(`/feed?cursor=${cursorOf(end)}`)];
    for (let count = 0; count < LOST + 3; count += 1) await placeOrder(app);
    const written = (await app.events(end.id)).map(({ id }) => id);
    await waitUntil(() => healthy.every((each) => idsOf(each).length >= written.length), 'the events');
    for (const each of healthy) {
      expect(idsOf(each)).toEqual(written);
      each.stop();
    }
  });

  test('ends a stream that joins at a lost event while the others are ended', async () => {
    const kept = await endOfLog();
    const ahead = await follow();
    await placeOrder(app);
    const { id: lost } = await endOfLog();
    await waitUntil(() => idsOf(ahead).includes(lost), 'the event');
    // These look for the position of the new stream twice, when it opens and with its events, and then for that of the others twice, when
    // the loss is noticed and when they are ended.
    const looks = Array.from({ length: 4 }, () => ({
      reached: Promise.withResolvers<void>(),
      passed: Promise.withResolvers<void>(),
    }));
    const [opened, catchingUp, noticed, ending] = looks as [Look, Look, Look, Look];
    let looked = 0;
    held = (statement) => {
      const look = statement === 'logStarts.andEvent' ? looks[looked++] : undefined;
      look?.reached.resolve();
      return look?.passed.promise;
    };
    onTestFinished(() => {
      for (const { passed } of looks) passed.resolve();
      held = () => undefined;
    });
    opened.passed.resolve();
    noticed.passed.resolve();
    const joining = follow(`/feed?cursor=${cursorOf(kept)}`);
    await catchingUp.reached.promise;
    await engine.place.query(`delete from events where org = 'acme' and id > ${kept.id}`);
    await ending.reached.promise;
    catchingUp.passed.resolve();
    const late = await joining;
    await waitUntil(() => idsOf(late).includes(lost), 'the event that was read before it was lost');
    ending.passed.resolve();
    for (const each of [ahead, late]) {
      await waitUntil(() => each.ended, 'the end of the stream');
      expect(JSON.parse(eventsIn(each.text).at(-1)?.data ?? '{}').code).toBe('resume_expired');
    }
  });

  test('gives its next events to a stream that resumes where another one reads what was lost', async () => {
    const from = await endOfLog();
    await placeOrder(app);
    const kept = await endOfLog();
    const ahead = await follow();
    await placeOrder(app);
    const { id: lost } = await endOfLog();
    await waitUntil(() => idsOf(ahead).includes(lost), 'the event');
    const [reached, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The first stream has read the end of the log before the loss, and the next events after it.
    held = (statement) => {
      if (statement !== 'events.newest') return undefined;
      held = () => undefined;
      reached.resolve();
      return passed.promise;
    };
    onTestFinished(() => passed.resolve());
    const early = await follow(`/feed?cursor=${cursorOf(from)}`);
    await reached.promise;
    await engine.place.query(`delete from events where org = 'acme' and id > ${kept.id}`);
    await waitUntil(() => ahead.ended, 'the end of the stream that is ahead');
    const live = await follow();
    const late = await follow(`/feed?cursor=${cursorOf(from)}`);
    passed.resolve();
    await waitUntil(() => [early, late].every((each) => idsOf(each).includes(kept.id)), 'the kept event');
    await regrow(kept.id, [kept.id + 1]);
    for (const each of [live, late]) {
      await waitUntil(() => idsOf(each).includes(kept.id + 1), 'the event with the id of a lost one');
      each.stop();
    }
    early.stop();
  });

  test('would be noticed once for all streams that have caught up together', async () => {
    const from = await endOfLog();
    await placeOrder(app);
    const live = await follow();
    const [reached, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let looked = 0;
    held = (statement) => {
      if (statement === 'logStarts.andEvent') looked += 1;
      // The live stream reads events of all types.
      if (statement !== 'events.ofTypesAfter') return undefined;
      reached.resolve();
      return passed.promise;
    };
    onTestFinished(() => {
      passed.resolve();
      held = () => undefined;
    });
    const resumed = await Promise.all(
      Array.from({ length: 10 }, () => follow(`/feed?type=order.created&cursor=${cursorOf(from)}`)),
    );
    await reached.promise;
    await placeOrder(app);
    const { id: last } = await endOfLog();
    await waitUntil(() => idsOf(live).includes(last), 'the live event');
    looked = 0;
    passed.resolve();
    await waitUntil(() => resumed.every((each) => idsOf(each).includes(last)), 'the event');
    expect(looked).toBeLessThan(resumed.length);
    for (const each of [live, ...resumed]) each.stop();
  });

  test('ends the streams that are ahead of it, and serves new ones from its end', async () => {
    const before = await endOfLog();
    const ahead = await follow();
    for (let count = 0; count < LOST; count += 1) await placeOrder(app);
    await waitUntil(() => idsOf(ahead).length >= LOST, 'the events');
    await engine.place.query(`delete from events where org = 'acme' and id > ${before.id}`);
    const fresh = await follow();
    await waitUntil(() => ahead.ended, 'the end of the stream that is ahead');
    expect(JSON.parse(eventsIn(ahead.text).at(-1)?.data ?? '{}').code).toBe('resume_expired');
    // The next event has the id of a lost one.
    const now = engine.name === 'sqlite' ? '0' : 'now()';
    await engine.place.query(`insert into events (id, org, type, actor_id, subject_type, subject_id, data, created_at)
      values (${before.id + 1}, 'acme', 'user.updated', 1, 'user', 1, '{}', ${now})`);
    await waitUntil(() => idsOf(fresh).includes(before.id + 1), 'the event with the id of a lost one');
    fresh.stop();
  });

  describe.each([
    ['other events have the ids', 1],
    ['the ids are left out', LOST + 1],
  ])('and that has grown again, so that %s,', (_, first) => {
    test('refuses cursors of lost events, and no others', async () => {
      const kept = await endOfLog();
      await placeOrder(app);
      const lost = await endOfLog();
      const ids = Array.from({ length: LOST }, (_each, index) => kept.id + first + index);
      await regrow(kept.id, ids);
      const { token } = await app.signIn('ada');
      const refused = await app.get<{ error: { oldest_cursor: string } }>(`/feed?cursor=${cursorOf(lost)}`, {
        as: 'ada',
        headers: { accept: 'text/event-stream' },
      });
      expect([refused.status, refused.body.error.oldest_cursor]).toEqual([410, cursorOf(await endOfLog())]);
      // The last one is a cursor of an earlier version.
      for (const position of [kept, { id: kept.id }]) {
        const stream = await openEventStream(`${app.url}/feed?cursor=${cursorOf(position)}`, token);
        await waitUntil(() => idsOf(stream).length >= LOST, 'the events');
        expect(idsOf(stream)).toEqual(ids);
        stream.stop();
      }
    });

    test('ends the streams that have lost events', async () => {
      const kept = await endOfLog();
      const ahead = await follow();
      for (let count = 0; count < LOST; count += 1) await placeOrder(app);
      await waitUntil(() => idsOf(ahead).length >= LOST, 'the events');
      const received = ahead.text;
      await regrow(
        kept.id,
        Array.from({ length: 2 * LOST }, (_each, index) => kept.id + first + index),
      );
      await waitUntil(() => ahead.ended, 'the end of the stream');
      expect(JSON.parse(eventsIn(ahead.text).at(-1)?.data ?? '{}').code).toBe('resume_expired');
      expect(eventsIn(ahead.text).length).toBe(eventsIn(received).length + 1);
      const fresh = await follow();
      await placeOrder(app);
      const written = await endOfLog();
      await waitUntil(() => idsOf(fresh).includes(written.id), 'the next event');
      fresh.stop();
    });
  });
});
