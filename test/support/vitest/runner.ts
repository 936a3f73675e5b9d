/** The sequencer of vitest, and the reporter of skipped tests. */
import { relative, sep } from 'node:path';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';

/** The beginnings of the paths of slow files, the slowest first. The tests of folders start processes, and wait for them. */
const SLOWEST = [
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
  'test/streams/heartbeats',
  'test/streams/lost-events',
  'test/scenarios/lost-rights',
  'test/scenarios/failing-gateway',
  'test/scenarios/password-reset-time',
  'test/scenarios/app-rights',
  'test/streams/refused-for-a-time',
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
