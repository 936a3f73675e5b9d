/** `portico trigger`: causes an event of every type in the catalogue by a real change, or refuses with the reason. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recipeFor } from '../../src/cli/trigger/recipes.ts';
import { EVENT_TYPES, type EventType } from '../../src/events/catalogue.ts';
import { describeEachEngine } from '../support/engines.ts';
import { command } from './command.ts';

const directory = mkdtempSync(join(tmpdir(), 'portico-trigger-'));
afterAll(() => rmSync(directory, { recursive: true }));

const AVAILABLE = EVENT_TYPES.filter((type) => typeof recipeFor(type) === 'function');

interface Event {
  readonly id: number;
  readonly type: string;
}

test('the list has every event type of the catalogue', async () => {
  const { code, out } = await command(['trigger', '--list', '--json']);
  expect(code).toBe(0);
  const rows = JSON.parse(out) as { type: EventType; available: string; description: string }[];
  expect(rows.map(({ type }) => type)).toEqual(EVENT_TYPES);
  expect(rows.filter(({ available }) => available === 'yes').map(({ type }) => type)).toEqual(AVAILABLE);
});

describeEachEngine('triggering', (engine) => {
  const settings = (url: string) => ({ DATABASE_URL: url, AUTH_KEYS_FILE: join(directory, 'keys.json') });

  test('causes an event of each type, and leaves no credentials behind', async () => {
    const place = await engine.create('demo');
    const environment = settings(place.url);
    const { code, out, err } = await command(['trigger', ...AVAILABLE, '--json'], { environment });
    expect([code, err]).toEqual([0, '']);
    const caused = JSON.parse(out) as Event[];
    expect(AVAILABLE.filter((type) => !caused.some((event) => event.type === type))).toEqual([]);
    const rows = await place.query('select id, org, type, actor_id from events order by id');
    const logged = rows.map(({ id, type }) => ({ id: Number(id), type }));
    expect(caused).toEqual(logged.slice(-caused.length));
    const own = rows.slice(-caused.length);
    expect(own.every(({ org }) => org === 'acme')).toBe(true);
    // As for a client: the event has an actor.
    expect(own.filter(({ actor_id }) => actor_id === null)).toEqual([]);

    const count = async (sql: string) =>
      Number((await place.query(`select count(*) as n from ${sql}`))[0]?.['n']);
    expect(await count('api_keys where revoked_at is null')).toBe(0);
    expect(await count('webhooks where deleted_at is null')).toBe(0);
    expect(await count('apps where removed_at is null')).toBe(0);
    expect(await count("users where removed_at is null and email like '%.invalid'")).toBe(0);
  });

  test.each([
    [['webhook.disabled'], {}, 1, 'Servers disable webhooks themselves'],
    [['order.created'], { NODE_ENV: 'production' }, 1, 'cannot be triggered in production'],
    [['order.created', 'order.sold'], {}, 2, 'no events of the type "order.sold"'],
    [['charge.failed'], { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_live_abc' }, 1, 'charges would be real'],
    [['order.created', '--org', 'initrode'], {}, 1, 'no organisation "initrode"'],
  ])('%j with %j is refused before any change', async (args, more, code, said) => {
    const place = engine.place;
    const events = () => place.query('select count(*) as n from events');
    const before = await events();
    const refused = await command(['trigger', ...args], { environment: { ...settings(place.url), ...more } });
    expect(refused).toMatchObject({ code, out: '', err: expect.stringContaining(said) });
    expect(await events()).toEqual(before);
  });
});
