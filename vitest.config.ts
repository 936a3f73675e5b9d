import { defineConfig } from 'vitest/config';
import { openApiReporter } from './test/support/openapi-reporter.ts';
import { skippedReporter } from './test/support/skipped-reporter.ts';

const SECOND = 1000;

/** Where to write what came of each test, as JSON, for programs. A reporter on the command line would take the place of all. */
const { TEST_REPORT } = process.env;
const forPrograms: ['json', { outputFile: string }][] = TEST_REPORT
  ? [['json', { outputFile: TEST_REPORT }]]
  : [];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', skippedReporter, openApiReporter(import.meta.dirname), ...forPrograms],
    globalSetup: ['test/support/global-setup.ts'],
    // Node loads the code as it does in production. Vite's own loader would take another build of `graphql` than
    // Node gives to the packages that need it, and two of them in one process refuse each other's schemas.
    experimental: { viteModuleRunner: false },
    // Much of a test is waiting, for processes and for the database: no core is to be kept free for that.
    maxWorkers: '100%',
    // Generous, because the slowest machine that runs this has two cores and both engines beside the tests.
    testTimeout: 20 * SECOND,
    hookTimeout: 30 * SECOND,
  },
});
