/** How many documents are kept for later requests. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createDocuments } from '../../src/pipeline/admission/documents.ts';
import { hashOf } from '../../src/pipeline/admission/manifest.ts';

const MIB = 1024 * 1024;

/** Bytes of a character that Latin-1 does not have, in memory. */
const WIDE = 2;

const schema = buildSchema();

/** Documents of three tokens, each of them another one, filled up to so many characters by what is none. */
const documentsOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `{ __typename } # ${index} `.padEnd(length, '\u2603'));

function keptOf(texts: readonly string[]): readonly string[] {
  const documents = createDocuments({ schema, production: false });
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
