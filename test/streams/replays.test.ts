/** Replays of a long log: events that a filter omits are not read where an index allows it, and cost points where it does not. */
import { expect, test } from 'vitest';
import { createCursors } from '../../src/core/cursors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { EVENT_TYPES } from '../../src/events/catalogue.ts';
import { logPosition } from '../../src/events/log-position.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { openEventStream } from '../support/raw-clients.ts';

const EVENTS = 3000;
const POINTS = 10_000;

/** More types than are looked up one by one, none of which occurs. */
const MANY = EVENT_TYPES.filter((type) => !/^(order|document|user|member|charge|session)\./.test(type));

describeEachEngine('a replay', (engine) => {
  const app = startApp(engine, { budget: { points: POINTS, perSecond: 1 } });
  const cursors = createCursors(() => app.keys.secrets('cursors'));

  /** The points that a viewer pays to replay the log with a filter, up to a new event of the type `user.updated`. */
  async function priceOf(types: readonly string[], afterId: number): Promise<number> {
    const { token } = await app.signIn('vic');
    const left = async () => {
      const { headers } = await app.get('/v1/orders/nothing', { as: 'vic' });
      return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    const before = await left();
    const filter = [...types, 'user.updated'].map((type) => `&type=${type}`).join('');
    const cursor = logPosition.seal(cursors, 'acme', { id: afterId });
    const stream = await openEventStream(`${app.url}/feed?cursor=${cursor}${filter}`, token);
    await waitUntil(() => stream.text.includes('user.updated'), 'the last event');
    stream.stop();
    return before - (await left());
  }

  test('costs points by the events that are read', async () => {
    const now = engine.name === 'sqlite' ? '0' : 'now()';
    const [row] = await engine.place.query(`select max(id) as id from events where org = 'acme'`);
    const values = Array.from(
      { length: EVENTS },
      () => `('acme', 'order.created', 1, 'order', 1, '{}', ${now})`,
    );
    await engine.place.query(`insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
      values ${values.join(',')}, ('acme', 'user.updated', 1, 'user', 1, '{}', ${now})`);
    const start = Number(row?.['id']);
    expect(MANY.length).toBeGreaterThan(LIMITS.typesLookedUp);
    const read = EVENTS / LIMITS.eventsReadPerPoint;
    expect(await priceOf(MANY, start)).toBeGreaterThanOrEqual(read);
    expect(await priceOf([], start)).toBeLessThan(read / 10);
  });
});
