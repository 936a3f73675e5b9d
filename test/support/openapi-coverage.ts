/** The coverage of openapi.json by the tests. */
import { join } from 'node:path';
import type { OpenApi } from '../../src/rest/openapi/types.ts';

/** The tests that must cover all of openapi.json. Other tests do not count, so that these can run alone. */
export const SCENARIOS = 'test/scenarios';

/** The file in which workers record the coverage, one line per item. */
export const coverageFile = (directory: string): string => join(directory, 'openapi-coverage.txt');

export const statusSeen = (operationId: string, status: string): string => `${operationId} returns ${status}`;

export const parameterSeen = (operationId: string, where: string, name: string): string =>
  `${operationId} takes ${name} in the ${where}`;

/** Lists every status and every parameter of all operations. */
export function everythingIn({ paths }: Pick<OpenApi, 'paths'>): string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return operations.flatMap(({ operationId, responses, parameters = [] }) => [
    ...Object.keys(responses).map((status) => statusSeen(operationId, status)),
    ...parameters.map(({ in: where, name }) => parameterSeen(operationId, where, name)),
  ]);
}
