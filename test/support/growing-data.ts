/** Adds any number of rows to all tables that clients can read, alternately for acme and for another organisation. */
import { type Column, getTableColumns, getTableName } from 'drizzle-orm';
import { postgresTables } from '../../src/db/postgres/columns.ts';
import { OF_SIGNING_IN } from './client.ts';
import type { TestEngine } from './engines.ts';
import { boundValue, inOrderOfReference, referenceOf, type TableName } from './foreign-rows.ts';
import { manyRows } from './many-rows.ts';

/** The ids of added rows are above this number, and far above those of the demo data. Odd ids belong to acme. */
export const GROWN = 100_000;

/** The number of events per row of the other tables. */
export const EVENTS_PER_ROW = 3;

/**
 * Adds the rows with the numbers `from + 1` to `to` to each table, every other one for acme. Almost all documents of acme are confidential
 * and written by ada, so that a viewer sees few of them, and few of their events.
 */
export async function grow(engine: TestEngine, from: number, to: number): Promise<void> {
  const { place, name } = engine;
  const isSqlite = name === 'sqlite';
  const { now, at, numbers } = manyRows(engine);
  const own = isSqlite ? '' : 'overriding system value';
  const rows = numbers(to, from + 1);
  const org = `case n % 2 when 1 then 'acme' else 'globex' end`;
  const person = `case n % 2 when 1 then 1 + n / 2 % 3 else 4 end`;
  const id = `${GROWN} + n`;
  const written = [
    `insert into users (id, org, email, name, role, created_at, updated_at) ${own}
      select ${id}, ${org}, 'grown-' || n || '@grown.test', 'Grown', 'viewer', ${now}, ${now} from ${rows}`,
    `insert into products (id, org, name, unit_price, currency, created_at, updated_at) ${own}
      select ${id}, ${org}, 'Grown', 100, 'USD', ${now}, ${now} from ${rows}`,
    `insert into orders (id, org, user_id, status, total, currency, created_at, updated_at) ${own}
      select ${id}, ${org}, ${person}, 'pending', n, 'USD', ${at('millisecond')}, ${at('millisecond')} from ${rows}`,
    `insert into order_items (org, order_id, position, product_id, name, unit_price, qty)
      select ${org}, ${id}, 0, ${id}, 'Grown', 100, 1 from ${rows}`,
    `insert into documents (id, org, author_id, title, body, classification, created_at, updated_at) ${own}
      select ${id}, ${org}, case n % 2 when 1 then 1 else 4 end, 'Grown', 'Text',
        case when n % 100 < 2 then 'internal' else 'confidential' end, ${now}, ${now} from ${rows}`,
    `insert into shares (org, document_id, user_id, relation, created_at)
      select ${org}, ${id}, case n % 2 when 1 then 2 else 4 end, 'reader', ${now} from ${rows}`,
    `insert into charges (id, org, user_id, order_id, amount, currency, source, status, reference, created_at, updated_at) ${own}
      select ${id}, ${org}, ${person}, case n % 2 when 1 then 1 + n / 2 % 8 else 61 end, 1, 'USD', 'tok', 'succeeded',
        'grown-' || n, ${now}, ${now} from ${rows}`,
    `insert into refunds (id, org, charge_id, user_id, amount, currency, status, reference, created_at, updated_at) ${own}
      select ${id}, ${org}, case n % 2 when 1 then 100001 else 100002 end, ${person}, 1, 'USD', 'succeeded',
        'grown-' || n, ${now}, ${now} from ${rows}`,
    `insert into api_keys (id, org, user_id, name, secret_hash, scopes, created_at) ${own}
      select ${id}, ${org}, case n % 2 when 1 then 1 else 4 end, 'grown', 'x', '[]', ${now} from ${rows}`,
    `insert into webhooks (id, org, url, types, secret, last_event_id, last_good_at, created_at, updated_at) ${own}
      select ${id}, ${org}, 'https://hooks.example.com/', '["*"]', 's', 0, ${now}, ${now}, ${now} from ${rows}`,
    `insert into webhook_deliveries (id, org, webhook_id, event_id, event_type, message_id, status, created_at) ${own}
      select ${id}, ${org}, case n % 2 when 1 then 100001 else 100002 end, n, 'order.created', 'm' || n, 'pending', ${now}
      from ${rows}`,
    `insert into webhook_attempts (org, delivery_id, webhook_id, number, trigger, retries_left, due_at, finished_at)
      select ${org}, ${id}, case n % 2 when 1 then 100001 else 100002 end, 1, 'schedule', 9, ${now}, ${now} from ${rows}`,
    // The newest documents come last, so that the newest events are of documents that a viewer may not see.
    `insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
      select ${org}, 'document.updated', null, 'document', 100000 + ${from} + 1 + n % ${to - from}, '{}', ${now}
      from ${numbers(to * EVENTS_PER_ROW, from * EVENTS_PER_ROW + 1)}`,
    'delete from order_counts',
    `insert into order_counts (org, user_id, status, orders)
      select org, user_id, status, count(*) from orders where deleted_at is null group by org, user_id, status`,
  ];
  // All other tables get minimal rows: only the required columns.
  const others = inOrderOfReference()
    .filter((table) => 'id' in postgresTables[table] && !OF_SIGNING_IN.has(table))
    .filter((table) => !written.some((sql) => sql.startsWith(`insert into ${sqlNameOf(table)} `)))
    .map((table) => {
      const given = Object.entries(getTableColumns(postgresTables[table])).filter(
        ([member, column]) => member === 'id' || (column.notNull && !column.hasDefault),
      );
      const values = given.map(([member, column]) => {
        const target = referenceOf(table, column);
        if (member === 'id') return id;
        if (target === 'organisations') return org;
        if (target === 'users') return person;
        if (target) return id;
        return column.dataType === 'date' ? now : literal(table, member, column);
      });
      const columns = given.map(([, column]) => `"${column.name}"`);
      return `insert into ${sqlNameOf(table)} (${columns}) ${own} select ${values} from ${rows}`;
    });
  // Their references are correct, and checking each of them takes most of the time.
  if (isSqlite) {
    await place.query('pragma foreign_keys = off');
    for (const statement of [...written, ...others]) await place.query(statement);
    await place.query('pragma foreign_keys = on');
  } else {
    const unchecked = 'set local session_replication_role = replica';
    await place.query(['begin', unchecked, ...written, ...others, 'commit'].join(';\n'));
  }
}

const sqlNameOf = (table: TableName) => getTableName(postgresTables[table]);

/** Returns a valid value of a column as SQL. Texts are different in each row. */
function literal(table: TableName, member: string, column: Column): string {
  const known = boundValue(table, member) ?? column.enumValues?.[0];
  if (column.dataType === 'json') return `'${JSON.stringify(known ?? [])}'`;
  if (known !== undefined) return `'${known}'`;
  return column.dataType === 'string' ? `'grown-' || n` : '1';
}
