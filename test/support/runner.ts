/** What vitest is given: the order of the files, and what is said at the end of a run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import {
  BaseSequencer,
  type Reporter,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import { coverageFile, everythingIn, SCENARIOS } from './openapi-coverage.ts';

/** Folders whose tests start processes and wait for them, and files that do a lot. */
const LONG = [
  'test/faults/',
  'test/boot/',
  'test/operation/',
  'test/docs/',
  'test/browser/',
  'test/commands/',
  'test/e2e/',
  'test/scenarios/tenancy',
  'test/scenarios/cost-property',
  'test/scenarios/access.',
  'test/scenarios/sign-in-',
  'test/suites/fresh-clone',
  'test/suites/worked-example',
];

/** What takes longest begins first, so that at the end no core waits for the other to finish one long file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [long, short] = [sorted.filter((file) => isLong(file)), sorted.filter((file) => !isLong(file))];
    return [...long, ...short];
  }
}

function isLong({ moduleId, project }: TestSpecification): boolean {
  const path = relative(project.config.root, moduleId).replaceAll(sep, '/');
  return LONG.some((long) => path.startsWith(long));
}

/** Says at the end, one by one, what did not run here and why: a count would not be missed by anybody. */
export const skippedReporter: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    const lines = skipped.map((test) => {
      const result = test.result();
      const why = result.state === 'skipped' && result.note ? `: ${result.note}` : '';
      return `  ${test.module.relativeModuleId}: ${test.fullName}${why}`;
    });
    process.stdout.write(`\nNot run here:\n${lines.join('\n')}\n`);
  },
};

/**
 * After a run of all scenarios, fails it for what of openapi.json no answer has shown: what is promised and never seen may well
 * not be so. A run of some of them cannot tell, and says so.
 */
export function openApiReporter(root: string): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(instance) {
      vitest = instance;
    },
    onTestRunEnd(modules) {
      if (!vitest) return;
      const missing = filesMissing(root, modules);
      // Of a run by the names of tests, each file runs, and not as a whole.
      if (missing > 0 || vitest.config.testNamePattern) {
        process.stdout.write(
          `\nopenapi.json was not looked at as a whole: ${missing || 'parts of all'} files of ${SCENARIOS} did not run.\n`,
        );
        return;
      }
      const { directory } = vitest.getRootProject().getProvidedContext().databases;
      const unseen = unseenOf(root, coverageFile(directory));
      if (unseen.length === 0) return;
      process.stdout.write(
        `\nFAILED: openapi.json says what no test in ${SCENARIOS} has seen. Test it there, or do not promise it:\n${unseen.map((line) => `  ${line}`).join('\n')}\n`,
      );
      process.exitCode = 1;
    },
  };
}

/** How many files of scenarios did not run, or not all of their tests. */
function filesMissing(root: string, modules: readonly TestModule[]): number {
  const ran = new Set(
    modules
      .filter((module) => ![...module.children.allTests('pending')].length)
      .map(({ moduleId }) => moduleId),
  );
  return readdirSync(join(root, SCENARIOS))
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => !ran.has(join(root, SCENARIOS, name))).length;
}

function unseenOf(root: string, file: string): string[] {
  const seen = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  return everythingIn(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))).filter(
    (line) => !seen.has(line),
  );
}
