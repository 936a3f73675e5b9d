/**
 * Rows can be distributed by organisation (`src/db/placement.ts`): each of their keys includes it, and each
 * statement compares it. PostgreSQL itself verifies both: keys by its catalogue, statements by its plans.
 */
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { tablesPlaced } from '../../codegen/references.ts';
import { statementFamilies, statements } from '../../src/db/statement.ts';
import { anyPlanOf, planOfSql } from '../db/plans.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { relationsIn, unboundIn } from './organisations-in-plans.ts';

const TENANTS = new Set(tablesPlaced('tenant'));
const EVERYWHERE = new Set(tablesPlaced('everywhere'));
const CENTRAL = new Set(tablesPlaced('central'));

/** Statements that tests of the same process have declared do not belong to the server. */
const statementNames = () => [...statements.keys()].filter((name) => !name.startsWith('test.'));

/**
 * The statement that `ownerIn` builds for each table, to find the organisation of a row that a caller names
 * by its id.
 */
const isOwner = (name: string) => name.endsWith('.orgOf');

/** Other statements that read rows of several organisations, or of an unknown one, with the reason. */
const ACROSS_ORGANISATIONS: Readonly<Record<string, readonly string[]>> = {
  'A caller names a document only by its id, and gets 403 instead of 404 for one of another organisation.': [
    'documents.ownerOf',
    'orders.ownerOf',
  ],
  'The payment provider names charges by their ids and its own.': ['charges.anyById', 'charges.byPayment'],
  'A background job searches for due rows in all organisations, and continues within each.': [
    'charges.due',
    'refunds.due',
    'webhookAttempts.due',
    'webhookDeliveries.behind',
    'webhookSecrets.unsealed',
  ],
  'Retention removes the oldest rows of all organisations.': [
    'auditEntries.purge',
    'deprecatedUses.purge',
    'idempotency.purge',
    'idempotency.purgeUnfinished',
    'logStarts.purge',
    'operationUses.purge',
    'webhookRetention.ended',
    'webhookRetention.hold',
    'webhookRetention.old',
    'webhookRetention.removeAttempts',
    'webhookRetention.removeDeliveries',
  ],
  'The demo data has fixed ids, which the sequence of the table has to skip.': [
    'load.continueIds.documents',
    'load.continueIds.events',
    'load.continueIds.orderItems',
    'load.continueIds.orders',
    'load.continueIds.products',
  ],
  'The organisation is one of the words, and comparing the column would need a second index.': [
    'documents.search.backwards',
    'documents.search.forwards',
    'products.search.active.backwards',
    'products.search.active.forwards',
    'products.search.archived.backwards',
    'products.search.archived.forwards',
  ],
};

describeEachEngine(
  'rows of organisations',
  (engine) => {
    test('cover all tables except those with a declared placement', async () => {
      const rows = await engine.place.query(
        `select table_name as name from information_schema.tables where table_schema = 'public'`,
      );
      const known = [...TENANTS, ...EVERYWHERE, ...CENTRAL];
      expect(known.toSorted()).toEqual(rows.map((row) => String(row['name'])).toSorted());
    });

    test('always have an organisation', async () => {
      const rows = await engine.place.query(
        `select table_name as name from information_schema.columns
          where table_schema = 'public' and column_name = 'org' and is_nullable = 'NO'`,
      );
      const required = new Set(rows.map((row) => row['name']));
      expect([...TENANTS].filter((name) => !required.has(name))).toEqual([]);
    });

    test('include it in each key', async () => {
      const without = await keysWithoutOrg(engine);
      expect(without).toContainEqual({ table: 'users', index: 'users_email_unique' });
      expect(without.filter(({ table }) => TENANTS.has(table))).toEqual([]);
    });

    test('include it in their foreign keys, which never point to another node', async () => {
      const found = await references(engine);
      const name = 'order_items_order_id_org_orders_id_org_fk';
      expect(found).toContainEqual({ name, from: 'order_items', to: 'orders', hasOrg: true });
      expect(found.filter((reference) => !canBeKept(reference))).toEqual([]);
    });

    describe('and statements', () => {
      beforeAll(async () => {
        const folder = new URL('../../src/db/queries/', import.meta.url);
        for (const file of await readdir(folder)) {
          if (file.endsWith('.ts')) await import(new URL(file, folder).href);
        }
        for (const ofSize of statementFamilies.values()) ofSize(2);
      });

      test('compare it, except those listed here', async () => {
        const found: string[] = [];
        for (const name of statementNames()) {
          if (isOwner(name)) continue;
          if (unboundIn(await anyPlanOf(engine, name), TENANTS).length > 0) found.push(name);
        }
        expect(
          found.toSorted(),
          'compare `org` in the statement, or list it with the reason in ACROSS_ORGANISATIONS',
        ).toEqual(Object.values(ACROSS_ORGANISATIONS).flat().toSorted());
      });

      test('never join them with tables that are stored on one node', async () => {
        const found: string[] = [];
        for (const name of statementNames()) {
          const relations = relationsIn(await anyPlanOf(engine, name));
          const hasBoth =
            relations.some((each) => TENANTS.has(each)) && relations.some((each) => CENTRAL.has(each));
          if (hasBoth) found.push(name);
        }
        expect(found).toEqual([]);
      });
    });

    test.each([
      ['select * from orders where id = 1', ['orders']],
      [`select * from orders where org = 'a' or id = 1`, ['orders']],
      [`select * from orders where (org = 'a' and id = 1) is true`, ['orders']],
      [`select * from orders o, order_items i where i.order_id = o.id and o.org = 'a'`, ['i']],
      [`select * from orders o, order_items i where i.order_id = o.id and i.org = o.org`, ['i', 'o']],
      [`select * from orders o, order_items i where i.order_id = o.id and i.org = o.org and i.org = 'a'`, []],
      [
        `select * from orders o where org = any(array['a']) and exists (select 1 from charges where order_id = o.id)`,
        ['charges'],
      ],
      [`update orders set total = 1 where id = 1`, ['orders']],
      [`delete from orders where id = 1 and org = 'a'`, []],
      [`select * from users where id = 1`, []],
    ])('%s lacks it for %j', async (sql, expected) => {
      expect(unboundIn(await planOfSql(engine, sql), TENANTS).toSorted()).toEqual(expected);
    });
  },
  'postgres',
);

interface Key {
  readonly table: string;
  readonly index: string;
}

async function keysWithoutOrg({ place }: TestEngine): Promise<Key[]> {
  const rows = await place.query(`select t.relname as table, i.relname as index
    from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where x.indisunique and t.relnamespace = 'public'::regnamespace and not exists (
      select 1 from pg_attribute a where a.attrelid = t.oid and a.attname = 'org'
        and a.attnum = any((x.indkey::int2[])[0 : x.indnkeyatts - 1]))`);
  return rows.map((row) => ({ table: String(row['table']), index: String(row['index']) }));
}

interface Reference {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Whether it includes the organisation of both, at the same position. */
  readonly hasOrg: boolean;
}

async function references({ place }: TestEngine): Promise<Reference[]> {
  const rows = await place.query(`select c.conname as name, f.relname as from, t.relname as to, exists (
      select 1 from unnest(c.conkey, c.confkey) as pair (own, other)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = pair.own and a.attname = 'org'
        join pg_attribute b on b.attrelid = c.confrelid and b.attnum = pair.other and b.attname = 'org') as has_org
    from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and f.relnamespace = 'public'::regnamespace`);
  return rows.map((row) => ({
    name: String(row['name']),
    from: String(row['from']),
    to: String(row['to']),
    hasOrg: row['has_org'] === true,
  }));
}

function canBeKept({ from, to, hasOrg }: Reference): boolean {
  if (EVERYWHERE.has(to)) return true;
  return TENANTS.has(to) ? TENANTS.has(from) && hasOrg : CENTRAL.has(from);
}
