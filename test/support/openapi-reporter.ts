import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { coverageFile, everythingIn, SCENARIOS } from './openapi-coverage.ts';

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
