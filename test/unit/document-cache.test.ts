/** How many documents the cache keeps. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { hashOf } from '../../src/pipeline/admission/manifest.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { createOperations } from '../../src/pipeline/operations.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import { DEFAULTS } from '../support/settings.ts';

const MIB = 1024 * 1024;

/** Bytes in memory of a character outside Latin-1. */
const WIDE = 2;

const schema = buildSchema();

/** Different documents of three tokens each, padded with ignored characters to this length. */
const documentsOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `{ __typename } # ${index} `.padEnd(length, '\u2603'));

const pricing = createPricing(schema, DEFAULTS.operations);

// Reading a document uses no other part of the context.
const context = {
  requestCost: { pay() {} },
  scheduler: { enter: async () => {} },
} as unknown as Context;

async function keptOf(texts: readonly string[]): Promise<readonly string[]> {
  const operations = createOperations({ ...DEFAULTS.operations, schema, pricing, production: false });
  for (const text of texts) await operations.find(text, null, context);
  const isKept = (text: string) => {
    try {
      return operations.textOf({ documentId: hashOf(text) }) === text;
    } catch {
      return false;
    }
  };
  return texts.filter(isKept);
}

test('short documents are all kept, up to the maximum number', async () => {
  expect(await keptOf(documentsOf(LIMITS.documentCache, 100))).toHaveLength(LIMITS.documentCache);
});

test('long documents with few fields do not fill the memory', async () => {
  const kept = await keptOf(documentsOf(LIMITS.documentCache / 2, LIMITS.documentLength));
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.length * LIMITS.documentLength * WIDE).toBeLessThan(50 * MIB);
});
