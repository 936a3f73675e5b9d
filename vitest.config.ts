import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { openApiReporter } from './test/support/vitest/openapi-coverage.ts';
import { LongestFirst, skippedReporter } from './test/support/vitest/runner.ts';

const SECOND = 1000;

/** The file for a JSON report. `--reporter` on the command line would replace all other reporters. */
const { TEST_REPORT } = process.env;
const jsonReporter: ['json', { outputFile: string }][] = TEST_REPORT
  ? [['json', { outputFile: TEST_REPORT }]]
  : [];

/**
 * `npm run test:quick`: fast tests while editing, on SQLite only. The scenarios are those that call every operation, and those of the
 * resources that are typical for most others.
 */
const QUICK = [
  'test/{unit,structure,auth}/**/*.test.ts',
  'test/docs/{configuration,references}.test.ts',
  ...[
    'access',
    'changed-members',
    'changing-*',
    'described-parameters',
    'document-*',
    'feed',
    'graph',
    'idempotency-keys',
    'order-*',
    'products',
    'repeated-changes',
    'wire',
  ].map((name) => `test/scenarios/${name}.test.ts`),
];

/** Tests that need PostgreSQL or Redis, or start a process. */
const NOT_QUICK = [
  'test/structure/{tenants,bench-without-limits}.test.ts',
  'test/auth/shared-sign-in-limit.test.ts',
];

/** The client generators are a separate project with their own packages. */
const PACKAGES = ['test/clients/**'];

/** `npm run test:processes`: tests that start servers, commands and browsers as processes, and kill some of them. */
const PROCESSES = ['test/{boot,browser,commands,e2e,faults,operation}/**/*.test.ts'];

/** `npm run suites`: third-party test suites, each as one test, against running servers. */
const SUITES = ['test/suites/*.suite.ts'];

const ALL = ['test/**/*.test.ts'];

interface Selection {
  readonly include: string[];
  readonly exclude?: string[];
  /**
   * Workers in addition to one per core, since tests wait for databases and processes. More of them would not use the processor better: a
   * test of processes has several that run, and each test would take longer.
   */
  readonly moreWorkers?: number;
}

/** The test files by mode. The default mode, as in `npx vitest run <files>`, includes all of them. */
const MODES: Readonly<Record<string, Selection>> = {
  test: { include: ALL },
  // Quick tests hardly wait, and each further worker would have to load the server.
  quick: { include: QUICK, exclude: NOT_QUICK, moreWorkers: 0 },
  'in-process': { include: ALL, exclude: PROCESSES, moreWorkers: 3 },
  processes: { include: PROCESSES },
  suites: { include: SUITES },
  // For CI: together they use the processor better than one after the other.
  'processes-and-suites': { include: [...PROCESSES, ...SUITES] },
};

function selectionOf(mode: string): Selection {
  const selection = MODES[mode];
  if (!selection) throw new Error(`The modes are ${Object.keys(MODES).join(', ')}.`);
  return selection;
}

export default defineConfig(({ mode }) => ({
  test: {
    include: selectionOf(mode).include,
    exclude: [...PACKAGES, ...(selectionOf(mode).exclude ?? [])],
    reporters: ['default', skippedReporter, openApiReporter(import.meta.dirname), ...jsonReporter],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/vitest/global-setup.ts'],
    // Node loads the code as in production. Vite's loader would load a different build of `graphql` than Node loads for packages that
    // depend on it, and two copies in one process reject each other's schemas. Module mocks do not work without it, and no test uses them.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['test/support/vitest/modules.ts'],
    // Test files share processes and loaded modules: a process for each file, which loads the whole server, would take more than half of the
    // time. A module that one file replaced would stay replaced for later files, so no file does that.
    isolate: false,
    maxWorkers: availableParallelism() + (selectionOf(mode).moreWorkers ?? 2),
    // Tests create many short-lived objects. Larger semi-spaces use more memory, and save most of the time for garbage collection. They
    // have this size from the start: V8 would let them grow step by step, and shrink while a test waits.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    // Only to end tests that hang, even on a busy machine.
    testTimeout: 300 * SECOND,
    hookTimeout: 300 * SECOND,
    // Not the second of the default: a busy machine may take longer, and what never comes fails late.
    expect: { poll: { timeout: 60 * SECOND } },
  },
}));
