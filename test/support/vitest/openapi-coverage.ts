/** The coverage of openapi.json by the scenarios: workers record it, and a reporter checks it at the end of a run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import type { OpenApi } from '../../../src/rest/openapi/types.ts';

/** The tests that must cover all of openapi.json. Other tests do not count, so that these can run alone. */
export const SCENARIOS = 'test/scenarios';

/** The file in which workers record the coverage, one line per item. */
export const coverageFile = (directory: string): string => join(directory, 'openapi-coverage.txt');

export const statusSeen = (operationId: string, status: string): string => `${operationId} returns ${status}`;

export const parameterSeen = (operationId: string, where: string, name: string): string =>
  `${operationId} takes ${name} in the ${where}`;

/** Lists every status and every parameter of all operations. */
function everythingIn({ paths }: Pick<OpenApi, 'paths'>): string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return operations.flatMap(({ operationId, responses, parameters = [] }) => [
    ...Object.keys(responses).map((status) => statusSeen(operationId, status)),
    ...parameters.map(({ in: where, name }) => parameterSeen(operationId, where, name)),
  ]);
}

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
      const scenarios = join(root, SCENARIOS, '/');
      if (!vitest || !modules.some(({ moduleId }) => moduleId.startsWith(scenarios))) return;
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
