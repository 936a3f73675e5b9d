/** Values that fit a schema of openapi.json, and nothing else. */
import fc from 'fast-check';
import type { Schema } from '../../src/rest/openapi/types.ts';
import { openApi } from './openapi-document.ts';

/** Characters of a text, elements of a list: enough to be unlike each other. */
const LONGEST = 30;
const MOST_ITEMS = 3;

/** Ids that a run meets again and again: some are there, some are not. */
const GREATEST_ID = 40;

const resolved = (schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (openApi.components.schemas[name] ?? schema);
};

/** Addresses that are read, and never asked: tests have no name servers. */
const urls = fc.constantFrom('https://hooks.example.com/a', 'https://hooks.example.com/b?c=d');

export function valuesOf(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  const types = [schema.type ?? []].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return fc
        .integer({ min: (schema.exclusiveMinimum ?? schema.minimum ?? 0) * 100 + 1, max: 99_999 })
        .map((cents) => cents / 100);
    case 'string':
      return texts(schema);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = MOST_ITEMS } = schema;
      return fc.array(valuesOf(items), {
        minLength: minItems,
        maxLength: Math.min(maxItems, Math.max(minItems, MOST_ITEMS)),
      });
    }
    default:
      return objects(schema);
  }
}

function integers({ format, minimum = -1000, maximum = 10_000 }: Schema): fc.Arbitrary<number> {
  const most = format === 'int64' ? GREATEST_ID : 10_000;
  return fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, most)) });
}

function texts({ format, pattern, minLength = 0, maxLength = LONGEST }: Schema): fc.Arbitrary<string> {
  const longest = Math.max(minLength, Math.min(maxLength, LONGEST));
  switch (format) {
    case 'date-time':
      return fc
        .date({ min: new Date('2026-09-02'), max: new Date('2027-08-01'), noInvalidDate: true })
        .map((date) => date.toISOString());
    case 'idn-email':
      return fc.nat(500).map((n) => `fuzz-${n}@acme.test`);
    case 'hostname':
      return fc.nat(500).map((n) => `fuzz-${n}.example`);
    case 'uri':
      return urls;
    default: {
      const text = fc.string({ unit: 'grapheme-ascii', minLength, maxLength: longest });
      const wide = fc.string({
        minLength,
        maxLength: longest,
        unit: fc.constantFrom('a', 'é', '漢', '-', 'Z', '7'),
      });
      const all = fc.oneof(text, wide);
      if (pattern === undefined) return all;
      const expression = new RegExp(pattern, 'u');
      // Patterns of a few characters would hardly be met by chance, and those of lines nearly always are.
      return minLength > 0 || pattern.includes('?=')
        ? all.filter((each) => expression.test(each))
        : fc.stringMatching(expression);
    }
  }
}

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  // Of a member that may be anything, the schema does not say what is of use.
  const described = Object.entries(properties).filter(([, { type, $ref, anyOf }]) => type ?? $ref ?? anyOf);
  const members = Object.fromEntries(described.map(([name, member]) => [name, valuesOf(member)]));
  return fc.record(members, { requiredKeys: [...required] });
}
