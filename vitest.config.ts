import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst, openApiReporter, skippedReporter } from './test/support/runner.ts';

const SECOND = 1000;

/** Where to write what came of each test, as JSON, for programs. A reporter on the command line would take the place of all. */
const { TEST_REPORT } = process.env;
const forPrograms: ['json', { outputFile: string }][] = TEST_REPORT
  ? [['json', { outputFile: TEST_REPORT }]]
  : [];

/**
 * `npm run test:quick`: what a developer wants to know while editing, on SQLite alone. The scenarios are those that go through every
 * operation, and those of the resources that most others are made like.
 */
const QUICK = [
  'test/{unit,structure,auth,access}/**/*.test.ts',
  'test/docs/references.test.ts',
  ...[
    'access',
    'described-parameters',
    'document-*',
    'feed',
    'graph',
    'idempotency-keys',
    'order-*',
    'products',
    'wire',
  ].map((name) => `test/scenarios/${name}.test.ts`),
];

/** Of what SQLite has not: distribution by organisation. */
const POSTGRES_ALONE = ['test/structure/tenants.test.ts'];

/** The generators of clients are a project with packages of its own. */
const PACKAGES = ['test/clients/**'];

/** `npm run suites`: suites of others, each as one test, against servers that were started. */
const SUITES = ['test/suites/*.suite.ts'];

const included = (mode: string): string[] => {
  if (mode === 'quick') return QUICK;
  return mode === 'suites' ? SUITES : ['test/**/*.test.ts'];
};

export default defineConfig(({ mode }) => ({
  test: {
    include: included(mode),
    exclude: [...PACKAGES, ...(mode === 'quick' ? POSTGRES_ALONE : [])],
    reporters: ['default', skippedReporter, openApiReporter(import.meta.dirname), ...forPrograms],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/global-setup.ts'],
    // Node loads the code as it does in production. Vite's own loader would take another build of `graphql` than
    // Node gives to the packages that need it, and two of them in one process refuse each other's schemas. No test replaces a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['test/support/modules.ts'],
    // Files share a process, and what it has loaded: starting one for each file, with the whole server in it, would take
    // more than half of the time. A file that replaced a module would replace it for those after it, so none does.
    isolate: false,
    // Much of a test is waiting, for processes and for the database: there is more at a time than there are cores. What is quick waits
    // for neither, and each worker loads the server.
    maxWorkers: availableParallelism() + (mode === 'quick' ? 0 : 2),
    // Tests make much that is soon of no use. Room for it takes memory, and saves most of the time of collecting it.
    execArgv: ['--max-semi-space-size=64'],
    // Nothing is measured by them: they end what hangs, on a machine that is busy with much else.
    testTimeout: 300 * SECOND,
    hookTimeout: 300 * SECOND,
  },
}));
