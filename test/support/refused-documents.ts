/** Documents that cannot become routes, and what the server says of them instead of starting. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import {
  createOpenApi,
  createRoutes,
  createStreamRoutes,
  DocumentError,
  readDocuments,
} from '../../src/rest/index.ts';
import { type Documents, restFolder } from './rest-folder.ts';
import { DEFAULTS } from './settings.ts';

export interface BadDocument {
  /** What is wrong, for the title. */
  readonly title: string;
  /** In one file, or in several. */
  readonly documents: string | Documents;
  readonly message: string;
}

/** The file of a document that stands by itself. */
const FILE = 'v1/things.graphql';

const schema = buildSchema();
const pricing = createPricing(schema, DEFAULTS.operations.cost);

/** Tests that each of these is refused, with its file, its line and the reason. */
export function refusesAtBoot(refused: readonly BadDocument[]): void {
  describe('a document stops the boot, and says where and why, that has', () => {
    test.each(refused)('$title', ({ documents, message }) => {
      const files = typeof documents === 'string' ? { [FILE]: documents } : documents;
      const refusal = refusalOf(restFolder(files, 'nothing', onTestFinished));
      expect(refusal).toBeInstanceOf(DocumentError);
      expect(String(refusal)).toBe(`DocumentError: ${message}`);
    });
  });
}

function refusalOf(folder: string): unknown {
  try {
    const documents = readDocuments(schema, folder);
    const routes = createRoutes(schema, documents, pricing);
    return createOpenApi(schema, routes, createStreamRoutes(schema, documents, pricing, routes));
  } catch (error) {
    return error;
  }
}
