/**
 * Statements find their rows by an index among many others: charges for orders among all of an organisation,
 * due attempts among all pending ones, the newest event of a quiet organisation beside a busy one.
 */
import { beforeAll, expect, test } from 'vitest';
import '../../src/db/queries/charges.ts';
import { insertAttempts, webhooksWithDue } from '../../src/db/queries/webhook-attempts.ts';
import { webhooksBehind } from '../../src/db/queries/webhook-deliveries.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { manyRows } from '../support/fixtures/rows.ts';
import { explainPostgres, explainSqlite, type Params, rowsRead } from './plans.ts';

const MANY = 20_000;
const WEBHOOKS = 10;
const WAITING = 400;

async function fill(engine: TestEngine): Promise<void> {
  const { place, name } = engine;
  const { now, numbers } = manyRows(engine);
  const own = name === 'sqlite' ? '' : 'overriding system value';
  const statements = [
    `insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now}), ('globex', 'Globex', ${now})`,
    `insert into users (id, org, email, name, role, password_hash, created_at, updated_at) ${own}
      values (1, 'acme', 'a@a.test', 'A', 'admin', 'x', ${now}, ${now})`,
    `insert into orders (org, user_id, status, total, currency, created_at, updated_at)
      select 'acme', 1, 'pending', 1, 'USD', ${now}, ${now} from ${numbers(100)}`,
    `insert into charges (org, user_id, order_id, amount, currency, source, status, reference, created_at, updated_at)
      select 'acme', 1, case when n <= 100 then n end, 1, 'USD', 'x', 'succeeded', 'r' || n, ${now}, ${now}
      from ${numbers(MANY)}`,
    `insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
      select case when n <= ${MANY / 2} then 'globex' else 'acme' end, 'order.created', null, 'order', n, '{}', ${now}
      from ${numbers(MANY)}`,
    `insert into webhooks (org, url, types, secret, last_event_id, last_good_at, created_at, updated_at)
      select case when n = ${WEBHOOKS} then 'globex' else 'acme' end, 'https://example.com/', '["*"]', 's',
        case when n = ${WEBHOOKS} then 1 else 2 + n end, ${now}, ${now}, ${now} from ${numbers(WEBHOOKS)}`,
    `insert into webhook_deliveries (org, webhook_id, event_id, event_type, message_id, status, created_at)
      select 'acme', 2, n, 'order.created', 'm' || n, 'pending', ${now} from ${numbers(MANY)}`,
    `insert into webhook_attempts (org, delivery_id, webhook_id, number, trigger, retries_left, due_at, finished_at)
      select 'acme', n, 2, 1, 'schedule', 9, ${now}, case when n > ${WAITING} then ${now} end from ${numbers(MANY)}`,
  ];
  for (const statement of statements) await place.query(statement);
  if (name === 'postgres') await place.query('analyze');
}

/** Each with a table, SQLite's plan for it, and the maximum number of its rows that PostgreSQL may read. */
const CASES: readonly [string, Params, string, string, number][] = [
  [
    'charges.paidAmong',
    { org: 'acme', orderIds: [2, 4, 6] },
    'charges',
    'charges_by_order_and_amount (order_id=? AND status=? AND currency=?)',
    3,
  ],
  // One returns whether an attempt is due, and one when the next is.
  ['webhookAttempts.due', {}, 'webhook_attempts', 'webhook_attempts_due (webhook_id=? AND due_at<?)', 2],
  ['webhookDeliveries.behind', { limit: 100 }, 'events', 'events_by_org (org>? AND org<?)', WEBHOOKS],
];

describeEachEngine('among many rows', (engine) => {
  beforeAll(() => fill(engine));

  const now = engine.name === 'sqlite' ? 1767229200000 : '2026-01-01T01:00:00Z';

  test.each(CASES)('%s reads only the rows it needs', async (name, params, table, step, rows) => {
    if (engine.name === 'sqlite') {
      const plan = await explainSqlite(engine, name, { now, ...params });
      expect(plan.join('\n')).toContain(step);
      expect(plan.filter((line) => line.startsWith(`SCAN ${table}`))).toEqual([]);
    } else {
      const plan = await explainPostgres(engine, name, { now, ...params });
      expect(rowsRead(plan, table)).toBeLessThanOrEqual(rows);
    }
  });

  test('the webhook waiting longest with due attempts comes first', async () => {
    const next = { org: 'acme', number: 2, trigger: 'schedule', retriesLeft: 0 } as const;
    await engine.database.transaction((tx) =>
      insertAttempts(tx, [
        { ...next, webhookId: 3, deliveryId: MANY, dueAt: new Date('2026-01-01T00:30:00Z') },
        { ...next, webhookId: 4, deliveryId: MANY - 1, dueAt: new Date('2025-12-31T23:00:00Z') },
        { ...next, webhookId: 5, deliveryId: MANY - 2, dueAt: new Date('2026-01-01T02:00:00Z') },
      ]),
    );
    const due = await webhooksWithDue(engine.database, { now: new Date('2026-01-01T01:00:00Z') });
    expect(due.map(({ webhookId }) => webhookId)).toEqual([4, 2, 3]);
  });

  test('the webhook waiting longest with a backlog comes first', async () => {
    const [first, second] = await webhooksBehind(engine.database, { limit: 2 });
    expect(first).toEqual({ id: WEBHOOKS, org: 'globex', lastEventId: 1 });
    expect(second).toMatchObject({ id: 1 });
  });
});
