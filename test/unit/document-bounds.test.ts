import { isInputObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { KIB, LIMITS, MIB } from '../../src/core/limits.ts';
import { constraintOf } from '../../src/graphql/directives/constraint.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { DEFAULTS } from '../support/settings.ts';

const schema = buildSchema();

function boundsOf(input: string, field: string) {
  const type = schema.getType(input);
  const found = isInputObjectType(type) ? type.getFields()[field] : undefined;
  return found && constraintOf(schema, found);
}

test.each(['CreateDocumentInput', 'UpdateDocumentInput'])(
  '%s has the same maximum lengths as limits.ts',
  (input) => {
    expect(boundsOf(input, 'title')).toMatchObject({ minLength: 1, maxLength: LIMITS.documentTitleLength });
    expect(boundsOf(input, 'body')).toMatchObject({ maxLength: LIMITS.documentBodyLength });
  },
);

test('a text of the maximum length fits a request if its characters take up to two bytes', () => {
  expect(LIMITS.documentBodyLength * 2).toBeLessThan(DEFAULTS.http.bodyLimit - 1024);
  expect(87_000 * 3).toBeLessThan(DEFAULTS.http.bodyLimit - 1024);
});

test('the longest text fits the result of a tool at the lowest response limit', () => {
  const lowest = 2 * MIB;
  expect(() => loadConfig({ RESPONSE_LIMIT: String(lowest - 1) })).toThrow('RESPONSE_LIMIT');
  const longest = JSON.stringify('\u0001'.repeat(LIMITS.documentBodyLength));
  const others = 16 * KIB;
  expect(longest.length + others).toBeLessThan(lowest / 3);
});

test('all shares of a document fit one page', () => {
  expect(LIMITS.documentShares).toBeLessThanOrEqual(DEFAULTS.operations.pageMax);
});
