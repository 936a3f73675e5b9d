import type { Reporter } from 'vitest/node';

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
