/** The committed openapi.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApi } from '../../src/rest/openapi/types.ts';
import { ROOT } from './process.ts';

// A separate test verifies that the server generates this file.
export const openApi = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;

export type Operation = OpenApi['paths'][string][string];

/** An operation with its method and path. */
export interface DescribedOperation {
  /** Such as `GET /v1/orders/{order_id}`. */
  readonly name: string;
  readonly method: string;
  /** The path template, with variables in braces. */
  readonly path: string;
  readonly operation: Operation;
}

export const operations: readonly DescribedOperation[] = Object.entries(openApi.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([key, operation]) => {
      const method = key.toUpperCase();
      return { name: `${method} ${path}`, method, path, operation };
    }),
);
