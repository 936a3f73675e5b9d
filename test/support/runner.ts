/** The sequencer and the reporters of vitest. */
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

/** The beginnings of the paths of slow files, the slowest first. The tests of folders start processes, and wait for them. */
const SLOWEST = [
  'test/suites/fresh-clone',
  'test/suites/worked-example',
  'test/faults/',
  'test/e2e/',
  'test/boot/',
  'test/browser/',
  'test/suites/outside',
  'test/operation/',
  'test/suites/',
  'test/commands/',
  'test/docs/',
  'test/scenarios/tenancy',
  'test/scenarios/read-growth',
  'test/scenarios/access.',
  'test/scenarios/sign-in-',
  'test/scenarios/cost-property',
];

/** The beginnings of the paths of files that wait for most of their time, for example until rights are read again, the slowest first. */
const WAITING = [
  'test/scenarios/running-exports',
  'test/streams/paying',
  'test/scenarios/lost-rights',
  'test/scenarios/failing-gateway',
  'test/scenarios/password-reset-time',
  'test/scenarios/app-rights',
  'test/scenarios/late-answers',
  'test/scenarios/paid-refusals',
  'test/scenarios/described-failures',
  'test/streams/protocol',
  'test/budget/shared',
  'test/db/migrating-beside-readers',
  'test/scenarios/webhook-receivers',
  'test/scenarios/active-sessions',
];

/** One of so many files is a waiting one, so that there are always some that use the processor beside it. */
const WAITING_SPACING = 10;

/**
 * Runs slow files first, so that at the end of a run no core is idle while another one still runs a slow file, and distributes the
 * waiting ones, since no core would be busy if all workers waited.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter((file) => rankIn(WAITING, file) < WAITING.length);
    const others = sorted.filter((file) => !waiting.includes(file));
    const order = others.toSorted((one, other) => rankIn(SLOWEST, one) - rankIn(SLOWEST, other));
    waiting
      .toSorted((one, other) => rankIn(WAITING, one) - rankIn(WAITING, other))
      .forEach((file, index) => void order.splice(index * WAITING_SPACING, 0, file));
    return order;
  }
}

/** Returns the index of the beginning of a file's path, and the length of the list if it has none. */
function rankIn(beginnings: readonly string[], { moduleId, project }: TestSpecification): number {
  const path = relative(project.config.root, moduleId).replaceAll(sep, '/');
  const rank = beginnings.findIndex((beginning) => path.startsWith(beginning));
  return rank === -1 ? beginnings.length : rank;
}

/** Lists all skipped tests with their reasons at the end of a run, since a count alone is easily overlooked. */
export const skippedReporter: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    const lines = skipped.map((test) => {
      const result = test.result();
      const why = result.state === 'skipped' && result.note ? `: ${result.note}` : '';
      return `  ${test.module.relativeModuleId}: ${test.fullName}${why}`;
    });
    process.stdout.write(`\nSkipped:\n${lines.join('\n')}\n`);
  },
};

/**
 * After a run of all scenarios, fails if a part of openapi.json did not occur in any response: it may be wrong. After a run of some
 * scenarios, reports that the check was skipped.
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
      // With a name pattern, every file runs, but not all of its tests.
      if (missing > 0 || vitest.config.testNamePattern) {
        process.stdout.write(
          `\nThe coverage of openapi.json was not checked: ${missing || 'parts of all'} files of ${SCENARIOS} did not run.\n`,
        );
        return;
      }
      const { directory } = vitest.getRootProject().getProvidedContext().databases;
      const unseen = unseenOf(root, coverageFile(directory));
      if (unseen.length === 0) return;
      process.stdout.write(
        `\nFAILED: no response in ${SCENARIOS} covers these parts of openapi.json. Add a test or remove them:\n${unseen.map((line) => `  ${line}`).join('\n')}\n`,
      );
      process.exitCode = 1;
    },
  };
}

/** Counts the scenario files that did not run completely. */
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
