/** Tests operation documents that cannot become routes, so that the server refuses to start. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import { DocumentError, readDocuments } from '../../src/rest/compile/documents.ts';
import { createStreamRoutes } from '../../src/rest/handle/stream-route.ts';
import { createOpenApi } from '../../src/rest/openapi/index.ts';
import { createRoutes } from '../../src/rest/routes.ts';
import { type Documents, restFolder } from '../support/app.ts';
import { DEFAULTS } from '../support/settings.ts';

interface BadDocument {
  /** The fault, for the title. */
  readonly title: string;
  /** The contents of a single file, or several files. */
  readonly documents: string | Documents;
  readonly message: string;
}

/** The name of a single file. */
const FILE = 'v1/things.graphql';

const schema = buildSchema();
const pricing = createPricing(schema, DEFAULTS.operations);

/** Declares a test for each document: it is refused with its file, its line and the reason. */
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
