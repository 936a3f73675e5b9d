/** How many documents the cache keeps. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createDocuments } from '../../src/pipeline/admission/documents.ts';
import { hashOf } from '../../src/pipeline/admission/manifest.ts';
import { DEFAULTS } from '../support/settings.ts';

const MIB = 1024 * 1024;

/** Bytes in memory of a character outside Latin-1. */
const WIDE = 2;

const schema = buildSchema();

/** Different documents of three tokens each, padded with ignored characters to this length. */
const documentsOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `{ __typename } # ${index} `.padEnd(length, '\u2603'));

function keptOf(texts: readonly string[]): readonly string[] {
  const documents = createDocuments({ ...DEFAULTS.operations, schema, production: false });
  for (const text of texts) documents.read(text);
  return texts.filter((text) => documents.textOf(hashOf(text)) === text);
}

test('short documents are all kept, up to the maximum number', () => {
  expect(keptOf(documentsOf(LIMITS.documentCache, 100))).toHaveLength(LIMITS.documentCache);
});

test('long documents with few fields do not fill the memory', () => {
  const kept = keptOf(documentsOf(LIMITS.documentCache / 2, LIMITS.documentLength));
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.length * LIMITS.documentLength * WIDE).toBeLessThan(50 * MIB);
});
