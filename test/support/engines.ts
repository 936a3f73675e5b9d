/** Runs a suite once on each engine, each time on a separate database, which is migrated and empty by default. */
import { afterAll, beforeAll, describe, inject, type TestContext, test } from 'vitest';
import type { DatabaseOptions, OpenDatabase } from '../../src/db/database.ts';
import { type Content, createOnServer, createPglite, createSqlite, type TestDatabase } from './databases.ts';
import type { TestDatabases } from './vitest/global-setup.ts';

export interface TestEngine {
  readonly name: OpenDatabase['engine'];
  /** The name in titles of suites, which distinguishes PGlite from PostgreSQL. */
  readonly title: string;
  /** False on PGlite, which has one connection. */
  readonly concurrent: boolean;
  /** In hooks and tests: the suite's database, opened with the default options. */
  readonly database: OpenDatabase;
  /** In hooks and tests: the suite's database, for direct SQL. */
  readonly place: TestDatabase;
  /** Opens the suite's database again, as another instance of the server would. It is closed after the suite. */
  open(options?: Partial<Omit<DatabaseOptions, 'url'>>): Promise<OpenDatabase>;
  /** Fills the suite's database with the demo data. Call it where the suite is declared. */
  withDemo(): void;
  /** Creates another database. It is dropped after the suite. */
  create(content: Content): Promise<TestDatabase>;
  /** Declares a test that needs several connections, or a server that can end one. On PGlite, it is skipped with the reason. */
  testConcurrent(title: string, run: (skip: TestContext['skip']) => Promise<void>): void;
}

/** Declares a suite for each engine. @param only restricts it to one engine, for features that the other one does not have. */
export function describeEachEngine(
  title: string,
  suite: (engine: TestEngine) => void,
  only?: TestEngine['name'],
): void {
  for (const kind of engines(inject('databases'))) {
    if (only && kind.name !== only) continue;
    describe(`${title} (${kind.title})`, () => {
      suite(engineOf(kind));
    });
  }
}

const ALL_ON_BOTH_ENGINES = process.env['ENGINES'] === 'all';

/** Whether an engine runs the tests that do not depend on the engine: SQLite always does, PostgreSQL only with `ENGINES=all`. */
export const runsAllCases = ({ name }: Pick<TestEngine, 'name'>): boolean =>
  ALL_ON_BOTH_ENGINES || name === 'sqlite';

/** Declares a suite that does not depend on the engine: it only runs on SQLite, or on both engines with `ENGINES=all`. */
export const describeOnSqlite = (title: string, suite: (engine: TestEngine) => void): void =>
  describeEachEngine(title, suite, ALL_ON_BOTH_ENGINES ? undefined : 'sqlite');

/** Declares a suite whose tests all need several connections. On PGlite, it is reported as one skipped test. */
export function describeConcurrently(title: string, suite: (engine: TestEngine) => void): void {
  describeEachEngine(title, (engine) => {
    if (engine.concurrent) suite(engine);
    else engine.testConcurrent('needs several connections', async () => undefined);
  });
}

interface Kind {
  readonly name: OpenDatabase['engine'];
  readonly title: string;
  readonly concurrent: boolean;
  create(content: Content): Promise<TestDatabase>;
}

function engineOf(kind: Kind): TestEngine {
  let place: TestDatabase | undefined;
  let database: OpenDatabase | undefined;
  let content: Content = 'migrated';
  const opened: OpenDatabase[] = [];
  const created: TestDatabase[] = [];

  const create: TestEngine['create'] = async (wanted) => {
    const made = await kind.create(wanted);
    created.push(made);
    return made;
  };
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The database only exists in hooks and tests.');
    return value;
  };
  const open: TestEngine['open'] = async (options) => {
    const another = await present(place).open(options);
    opened.push(another);
    return another;
  };

  beforeAll(async () => {
    place = await create(content);
    database = await open();
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
    for (const one of created) await one.drop();
  });

  return {
    name: kind.name,
    title: kind.title,
    concurrent: kind.concurrent,
    get database() {
      return present(database);
    },
    get place() {
      return present(place);
    },
    open,
    withDemo() {
      content = 'demo';
    },
    create,
    testConcurrent(testTitle, run) {
      test(testTitle, async ({ skip }) => {
        skip(!kind.concurrent, 'PGlite has a single session, and cannot interrupt it');
        await run(skip);
      });
    },
  };
}

function engines({ directory, sqlite, postgres }: TestDatabases): Kind[] {
  const onSqlite: Kind = {
    name: 'sqlite',
    title: 'SQLite',
    concurrent: true,
    create: (content) => createSqlite(directory, content === 'bare' ? undefined : sqlite[content]),
  };
  if (!postgres) return [onSqlite];
  if ('pglite' in postgres) {
    const { pglite } = postgres;
    const create: Kind['create'] = (content) =>
      createPglite(content === 'bare' ? undefined : pglite[content]);
    return [onSqlite, { name: 'postgres', title: 'PGlite', concurrent: false, create }];
  }
  const { server, prefix, templates } = postgres;
  const create: Kind['create'] = (content) =>
    createOnServer(server, prefix, content === 'bare' ? 'template0' : templates[content]);
  return [onSqlite, { name: 'postgres', title: 'PostgreSQL', concurrent: true, create }];
}
