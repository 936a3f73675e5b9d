/** Lists of the audit log walk an index and stop, with every filter. */
import { beforeAll, expect, test } from 'vitest';
import '../../src/db/queries/audit-log.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { rowsForPlans } from '../support/fixtures/rows.ts';
import { explainPostgres, explainSqlite, rowsRead } from './plans.ts';

const LINES = 60_000;
const TYPES = 3;
const LIMIT = 50;

async function fill(engine: TestEngine): Promise<void> {
  const { place } = engine;
  const { now, at, numbers } = rowsForPlans(engine);
  await place.query(
    `insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now}), ('globex', 'G', ${now})`,
  );
  await place.query(`insert into users (org, email, name, role, created_at, updated_at)
    select 'acme', 'user-' || n || '@acme.test', 'User', 'editor', ${now}, ${now} from ${numbers(20)}`);
  for (const table of ['events', 'audit_entries']) {
    await place.query(`insert into ${table} (org, type, actor_id, subject_type, subject_id, data, created_at)
      select case n % 3 when 0 then 'globex' else 'acme' end,
        case n % 1000 when 1 then 'user.removed' when 2 then 'user.added' else 'order.created' end,
        1 + n % 20, 'order', n, '{}', ${at('second')} from ${numbers(LINES)}`);
  }
  if (engine.name === 'postgres') await place.query('vacuum analyze events, audit_entries');
}

const INDEXES = {
  events: { all: 'events_by_time', types: 'events_by_type_and_time', actor: 'events_by_actor' },
  auditEntries: {
    all: 'audit_entries_by_time',
    types: 'audit_entries_by_type',
    actor: 'audit_entries_by_actor',
  },
} as const;

const FORMS = (['events', 'auditEntries'] as const).flatMap((source) =>
  (['all', 'types', 'actor'] as const).flatMap((form) =>
    (['asc', 'desc'] as const).map((direction) => ({ source, form, direction })),
  ),
);

describeEachEngine('with 60,000 events and as many other entries', (engine) => {
  beforeAll(() => fill(engine));

  test.each(FORMS)('$source by $form, $direction', async ({ source, form, direction }) => {
    const types = ['"user.removed"', '"user.added"', '"order.created"'];
    const params = {
      org: 'acme',
      actorId: form === 'actor' ? 3 : null,
      types,
      at: new Date('2026-01-01T08:00:00Z'),
      end: new Date(direction === 'desc' ? '2026-01-01T00:10:00Z' : '2026-01-01T16:00:00Z'),
      id: 30_000,
      limit: LIMIT,
    };
    const name = `auditLog.${source}.${form}.${direction}`;
    const table = source === 'events' ? 'events' : 'audit_entries';
    // The rows of each type are sorted; those of the table are not.
    if (engine.name === 'sqlite') {
      const plan = await explainSqlite(engine, name, params);
      expect(plan.join('\n')).toContain(INDEXES[source][form]);
      expect(plan.filter((line) => line.startsWith(`SCAN ${table}`))).toEqual([]);
      if (form === 'all') expect(plan.join('\n')).not.toContain('TEMP B-TREE');
      return;
    }
    const read = rowsRead(await explainPostgres(engine, name, params), table);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(form === 'all' ? LIMIT : TYPES * LIMIT);
  });
});
