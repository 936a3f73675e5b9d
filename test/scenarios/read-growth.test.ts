/**
 * Reads cost the same with many times the rows: for every field of Query with all its selectable fields, as
 * an administrator, and as a viewer from whom most rows are hidden. The tests measure no time; they count
 * statements and the rows they touch.
 * New fields and edges of the schema are covered automatically.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type GraphQLArgument, getNamedType, isEnumType, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/db/database.ts';
import { exampleOf } from '../../src/graphql/directives/values.ts';
import { allRowsRead, explainPostgres, explainSqlite, type Params, pagesRead } from '../db/plans.ts';
import { type RootField, rootFields, schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { GROWN, grow, type TableName, tableNamed } from '../support/fixtures/table-rows.ts';
import { membersOf } from '../support/test-doubles.ts';
import { selectionOf } from './generated-operations.ts';

/**
 * Rows of each table, half of them acme's: more than every limit on rows to search, so that both sizes reach
 * the limits.
 */
const SMALL = 2500;

/**
 * Rows of each table in the larger database, and the events added for them. SQLite has no statistics, so its plans do not depend on the
 * number of rows, and the larger database only shows that the number of statements does not grow. On PostgreSQL, the log gets more than
 * 100,000 events.
 */
const LARGE = {
  sqlite: { rows: 2 * SMALL, events: 3 * SMALL },
  postgres: { rows: 5 * SMALL, events: 40 * SMALL },
};

/** Additional rows that a statement may read in the larger database: pages of the index, but not the log. */
const SLACK = 50;

/** Additional pages: fewer than an index of all rows gets, which has at least 8 pages, and four times as many in the larger database. */
const PAGE_SLACK = 10;

interface Recorded {
  readonly name: string;
  readonly params: Params;
}

// An invitation link is looked up by its hash, and then its row by its id.
const queries = rootFields.filter(
  ({ operation, name }) => operation === 'query' && name !== 'Query.receivedInvitation',
);

/** Tables whose first row is in the demo data and has more references than the rows from `grow`. */
const OF_DEMO: readonly (TableName | undefined)[] = ['users', 'orders', 'products', 'documents'];

/** The row for an argument; the table of `id` is the one that the field is named after. */
function idFor(argument: string, field: string): number {
  return OF_DEMO.includes(tableNamed(argument === 'id' ? field : argument)) ? 1 : GROWN + 1;
}

/** A literal for a required argument. */
function argumentFor({ name, field }: RootField, argument: GraphQLArgument): string {
  if (argument.name === 'org') return '"acme"';
  const type = getNamedType(argument.type);
  if (type.name === 'ID') return String(idFor(argument.name, field.name));
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  const example = exampleOf(schema, argument);
  if (example === undefined) throw new Error(`Give ${name}(${argument.name}:) an @example in the SDL.`);
  return JSON.stringify(example);
}

/** Other arguments for the same fields. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  'Query.feed': ['types: ["document.updated"]', 'types: ["user.removed", "order.shipped"]'],
  'Query.auditLog': [
    'actorId: 1',
    'types: ["order.shipped", "user.signed_in"]',
    'actorId: 1, types: ["order.created"]',
  ],
  'Query.charges': ['status: failed', 'orderId: 1', 'orderId: 1, status: succeeded'],
  'Query.documents': ['classification: confidential', 'classification: public'],
  'Query.orders': [
    'status: shipped',
    'sort: total',
    'page: 12',
    'status: pending, sort: id, page: 3',
    'page: 100000',
  ],
};

/** Lists by cursor within objects, read from their ends. */
const HISTORIES: Readonly<Record<string, string>> = Object.fromEntries(
  ['document(org: "acme", id: 1)', 'order(id: 1)', `charge(id: ${GROWN + 1})`].map((parent) => [
    `the history of ${parent} from its end`,
    `{ ${parent} { history(last: 20) { nodes { id } } } }`,
  ]),
);

/** Levels of objects below the root field, as in the other generated operations. */
const DEPTH = 3;

/** Names of the arguments for the page size, from the start of the list and from its end. */
const FROM_START = ['first', 'limit'];
const FROM_END = ['last'];

function operationOf(root: RootField, size: number, variant = '', sizes = FROM_START): string {
  const { field } = root;
  const given = field.args.flatMap((argument) => {
    if (sizes.includes(argument.name)) return [`${argument.name}: ${size}`];
    if (!isNonNullType(argument.type)) return [];
    return [`${argument.name}: ${argumentFor(root, argument)}`];
  });
  const passed = [...given, ...(variant ? [variant] : [])].join(', ');
  return `{ ${field.name}${passed && `(${passed})`} ${selectionOf(field.type, DEPTH)} }`;
}

/** The attack that this test was written for: unread counts for many nodes, under several aliases. */
const UNREAD = `{ documents(org: "acme", first: 40) { nodes { author {
  a: unreadNotifications b: unreadNotifications c: unreadNotifications d: unreadNotifications
} } } }`;

/** The cost of one statement. */
interface Found {
  readonly scans: readonly string[];
  readonly rows?: number;
  readonly pages?: number;
}

describeEachEngine('with many times the rows', (engine) => {
  const large = LARGE[engine.name];
  const recorded: Recorded[] = [];
  let running = 0;
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    run: (statement, params, signal) => {
      recorded.push({ name: statement.name, params: params as Params });
      running += 1;
      return database.run(statement, params, signal).finally(() => {
        running -= 1;
      });
    },
  });
  const app = startApp(engine, { operations: { cost: 1_000_000 }, around });

  interface Measured {
    /** Runs of each statement of the operation, by name. */
    readonly statements: Readonly<Record<string, number>>;
    /** The most rows that a statement of this name read; only on PostgreSQL. */
    readonly rows: Readonly<Record<string, number>>;
    /** The most pages that it read; only on PostgreSQL. */
    readonly pages: Readonly<Record<string, number>>;
    /** Steps of plans that scan a whole table or index; only on SQLite. */
    readonly scans: readonly string[];
  }

  async function ask(document: string, as: 'ada' | 'vic'): Promise<readonly Recorded[]> {
    await app.signIn(as);
    recorded.length = 0;
    const response = await app.graphql(document, {}, { as });
    const codes = codesOf(response).filter((code) => !REFUSALS.has(code));
    expect(codes, response.text.slice(0, 500)).toEqual([]);
    await untilQuiet();
    return [...recorded];
  }

  /**
   * Waits for fields that still run after the response, so that their statements are not counted for the next
   * operation.
   */
  async function untilQuiet(): Promise<void> {
    for (let quiet = 0; quiet < 5; ) {
      const known = recorded.length;
      await turn();
      quiet = running === 0 && recorded.length === known ? quiet + 1 : 0;
    }
  }

  /** The costs of statements since rows were added: the same parameters give the same cost. */
  const found = new Map<string, Promise<Found>>();

  function findOut(name: string, params: Params): Promise<Found> {
    const key = `${name} ${JSON.stringify(params)}`;
    const known =
      found.get(key) ?? (engine.name === 'sqlite' ? scansOf(name, params) : readsOf(name, params));
    found.set(key, known);
    return known;
  }

  async function readsOf(name: string, params: Params): Promise<Found> {
    const plan = await explainPostgres(engine, name, params);
    return { rows: allRowsRead(plan), pages: pagesRead(plan), scans: [] };
  }

  async function measure(document: string, as: 'ada' | 'vic'): Promise<Measured> {
    const ran = await ask(document, as);
    const rows: Record<string, number> = {};
    const pages: Record<string, number> = {};
    const scans: string[] = [];
    const byName = Map.groupBy(ran, ({ name }) => name);
    for (const [name, runs] of byName) {
      const { params } = runs.at(-1) ?? { params: {} };
      const of = await findOut(name, params);
      scans.push(...of.scans);
      if (of.rows !== undefined) rows[name] = of.rows;
      if (of.pages !== undefined) pages[name] = of.pages;
    }
    const statements = Object.fromEntries([...byName].map(([name, runs]) => [name, runs.length]));
    return { statements, rows, pages, scans };
  }

  /** Plan steps in which SQLite reads a whole table, or sorts rows that no list of ids limits. */
  async function scansOf(name: string, params: Params): Promise<Found> {
    const plan = await explainSqlite(engine, name, params);
    const isOfFew = plan.some((line) => line.includes('json_each') || line.includes('LIST SUBQUERY'));
    const scans = plan
      .filter(
        (line) =>
          (/^SCAN /.test(line) &&
            !/^SCAN (json_each|wanted|own|newest|seen|largest|\(subquery|CONSTANT)/.test(line)) ||
          (line.includes('TEMP B-TREE') && !isOfFew),
      )
      .map((line) => `${name}: ${line}`);
    return { scans };
  }

  const cases = [
    ...queries.flatMap((query) =>
      ['', ...(VARIANTS[query.name] ?? [])].map((variant) => ({
        title: `${query.name} ${variant}`.trim(),
        document: operationOf(query, 20, variant),
      })),
    ),
    ...queries
      .filter(({ field }) => field.args.some(({ name }) => FROM_END.includes(name)))
      .flatMap((query) =>
        ['', ...(VARIANTS[query.name] ?? [])].map((variant) => ({
          title: `${query.name} ${variant} from its end`,
          document: operationOf(query, 20, variant, FROM_END),
        })),
      ),
    ...Object.entries(HISTORIES).map(([title, document]) => ({ title, document })),
    { title: 'unread counts of many users', document: UNREAD },
  ].flatMap((one) => (['ada', 'vic'] as const).map((as) => ({ ...one, as })));
  const before = new Map<string, Measured>();
  const keyOf = ({ title, as }: { title: string; as: string }) => `${title} as ${as}`;

  beforeAll(async () => {
    await grow(engine, 0, SMALL);
    if (engine.name === 'postgres') await engine.place.query('vacuum analyze');
    for (const one of cases) before.set(keyOf(one), await measure(one.document, one.as));
    await grow(engine, SMALL, large.rows, large.events);
    found.clear();
    if (engine.name === 'postgres') await engine.place.query('vacuum analyze');
  }, 600_000);
  afterAll(() => recorded.splice(0));

  test('the log has more than 100,000 events on PostgreSQL, and the events of all rows on SQLite', async () => {
    const [row] = await engine.place.query('select count(*) as n from events');
    expect(Number(row?.['n'])).toBeGreaterThan(large.events);
    expect(LARGE.postgres.events).toBeGreaterThanOrEqual(100_000);
  });

  test.each(cases)('$title as $as', async (one) => {
    const small = before.get(keyOf(one));
    const now = await measure(one.document, one.as);
    expectNoMore(now.statements, small?.statements ?? {});
    expect(now.scans).toEqual([]);
    for (const [name, rows] of Object.entries(now.rows)) {
      expect(rows, name).toBeLessThanOrEqual((small?.rows[name] ?? 0) + SLACK);
    }
    // An index of more rows has one more level.
    for (const [name, pages] of Object.entries(now.pages)) {
      expect(pages, name).toBeLessThanOrEqual(2 * (small?.pages[name] ?? 0) + PAGE_SLACK);
    }
  });

  test('the unread count is computed once, however often it is selected', async () => {
    const ran = await ask(UNREAD, 'ada');
    expect(ran.filter(({ name }) => name === 'events.unreadAfter')).toHaveLength(1);
  });

  describe('a page of 40 runs no more statements than one of 10', () => {
    const pages = queries.filter(({ field }) => {
      const type = getNamedType(field.type);
      return isObjectType(type) && field.args.some(({ name }) => /^(first|limit)$/.test(name));
    });

    test.each(pages)('$name', async (page) => {
      const count = async (size: number) => {
        const ran = await ask(operationOf(page, size), 'ada');
        return Object.fromEntries(
          [...Map.groupBy(ran, ({ name }) => name)].map(([name, all]) => [name, all.length]),
        );
      };
      expectNoMore(await count(40), await count(10));
    });
  });
});

/**
 * Expects at most as many runs of each statement as before. A new statement may run once per level of
 * objects, with a loader for all objects of the level.
 */
function expectNoMore(now: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): void {
  for (const [name, runs] of Object.entries(now)) {
    expect(runs, name).toBeLessThanOrEqual(Math.max(before[name] ?? 0, DEPTH));
  }
}

/** Errors that generated operations may return: a viewer lacks some rights, and some rows are hidden. */
const REFUSALS: ReadonlySet<string> = new Set(['insufficient_scope', 'insufficient_role', 'forbidden']);
