/** openapi.json, as it is committed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApi } from '../../src/rest/index.ts';
import { ROOT } from './process.ts';

// A test of its own holds the file to be what the server writes.
export const openApi = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;

export type Operation = OpenApi['paths'][string][string];

/** An operation, and where it is found. */
export interface DescribedOperation {
  /** `GET /v1/orders/{order_id}` */
  readonly name: string;
  readonly method: string;
  /** With its variables in braces. */
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
