/**
 * A page of the feed costs the same at every position and with every filter: 50,000 events of an
 * organisation, one type of which is rare, among as many events of another.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import '../../src/db/queries/events.ts';
import '../../src/db/queries/feed.ts';
import { EVENT_TYPES } from '../../src/events/catalogue.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { rowsForPlans } from '../support/fixtures/rows.ts';
import { explainPostgres, explainSqlite, type Params, rowsRead } from './plans.ts';

const EVENTS = 100_000;
const RARE = 5000;
const LIMIT = 21;

async function fill(engine: TestEngine): Promise<void> {
  const { place } = engine;
  const { now, numbers } = rowsForPlans(engine);
  await place.query(
    `insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now}), ('globex', 'Globex', ${now})`,
  );
  await place.query(`insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
    select case n % 2 when 1 then 'acme' else 'globex' end,
      case when n % ${RARE} = 1 then 'order.shipped' when n % 4 = 1 then 'order.created' else 'order.updated' end,
      null, 'order', n, '{}', ${now} from ${numbers(EVENTS)}`);
}

const page = { org: 'acme', readerId: 1, role: 'viewer', limit: LIMIT, types: EVENT_TYPES };
const newest = { ...page, fromId: Number.MAX_SAFE_INTEGER };
const deep = { ...page, fromId: EVENTS / 20 };

/** Each with the maximum number of rows that PostgreSQL may read. */
const CASES: readonly [string, Params, number][] = [
  ['feed.look', newest, LIMIT],
  ['feed.look', deep, LIMIT],
  ['feed.lookAtTypes', { ...newest, types: ['order.shipped'] }, LIMIT],
  ['feed.lookAtTypes', { ...deep, types: ['order.shipped'] }, 1],
  ['feed.lookAtTypes', { ...deep, types: ['order.created', 'order.updated'] }, 2 * LIMIT],
  ['feed.lookAtTypes', { ...newest, types: ['user.removed'] }, 0],
];

describeEachEngine('a page of a long feed', (engine) => {
  beforeAll(() => fill(engine));

  if (engine.name === 'sqlite') {
    test.each(CASES)('%s walks its index', async (name, params) => {
      const plan = await explainSqlite(engine, name, params);
      const isFiltered = name.endsWith('AtTypes');
      const step = isFiltered
        ? 'SEARCH few USING COVERING INDEX events_by_type (org=? AND type=? AND id<?)'
        : 'SEARCH events USING INDEX events_by_org (org=? AND id<?)';
      expect(plan.join('\n')).toContain(step);
      expect(plan.filter((line) => /^SCAN (events|few)/.test(line))).toEqual([]);
      // The pages of each type are merged at the end.
      expect(plan.filter((line) => line.includes('TEMP B-TREE'))).toHaveLength(isFiltered ? 1 : 0);
    });
    return;
  }

  describe.each(['before statistics', 'after statistics'])('%s', (when) => {
    beforeAll(async () => {
      if (when === 'after statistics') await engine.place.query('vacuum analyze events');
    });

    test.each(CASES)('%s %o reads no more rows than it returns', async (name, params, most) => {
      const plan = await explainPostgres(engine, name, params);
      expect(rowsRead(plan, 'events'), JSON.stringify(plan, undefined, 1)).toBeLessThanOrEqual(most);
    });
  });
});
