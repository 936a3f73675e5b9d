/** What of openapi.json the tests have seen, and what not. */
import { join } from 'node:path';
import type { OpenApi } from '../../src/rest/index.ts';

/** The tests that together see all of openapi.json. What others see does not count, so that these can be run alone. */
export const SCENARIOS = 'test/scenarios';

/** Where workers note what they have seen, a line each. */
export const coverageFile = (directory: string): string => join(directory, 'openapi-coverage.txt');

export const statusSeen = (operationId: string, status: string): string => `${operationId} answers ${status}`;

export const parameterSeen = (operationId: string, where: string, name: string): string =>
  `${operationId} takes ${name} in the ${where}`;

/** Every status of every operation, and every parameter. */
export function everythingIn({ paths }: Pick<OpenApi, 'paths'>): string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return operations.flatMap(({ operationId, responses, parameters = [] }) => [
    ...Object.keys(responses).map((status) => statusSeen(operationId, status)),
    ...parameters.map(({ in: where, name }) => parameterSeen(operationId, where, name)),
  ]);
}
