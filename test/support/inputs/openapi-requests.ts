/** Requests from the examples in openapi.json, and generated values that are valid for its schemas. */
import fc from 'fast-check';
import type { Schema } from '../../../src/rest/openapi/types.ts';
import type { TestApp } from '../app.ts';
import type { Answer, RequestOptions, Sender } from '../client.ts';
import { signedEvent, signedStripeBody } from '../fixtures/charges.ts';
import { type DescribedOperation, openApi } from '../openapi.ts';

interface Example {
  /** The path with the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Returns the example request of an operation. Parameters without an example are not required. */
export function exampleOf({ path, operation }: DescribedOperation): Example {
  const { parameters = [], requestBody } = operation;
  const examplesIn = (place: 'path' | 'query' | 'header') =>
    Object.fromEntries(
      parameters
        .filter(({ in: where, example }) => where === place && example !== undefined)
        .map(({ name, example }) => [name, String(example)]),
    );
  const inPath = examplesIn('path');
  const query = new URLSearchParams(examplesIn('query'));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  return {
    path: query.size > 0 ? `${filled}?${query}` : filled,
    headers: examplesIn('header'),
    body: requestBody?.content['application/json']?.example,
  };
}

/** Signs a message if its headers require a signature; otherwise returns undefined. */
function signed(app: TestApp, headers: Example['headers'], body: unknown) {
  if ('webhook-signature' in headers) return signedEvent(app, body as Parameters<typeof signedEvent>[1]);
  return 'Stripe-Signature' in headers ? signedStripeBody(app, JSON.stringify(body)) : undefined;
}

/** Sends the example request of an operation. Signed messages are signed again, since the signatures of examples have expired. */
export function sendExample<Body>(
  app: TestApp,
  described: DescribedOperation,
  as?: Sender,
): Promise<Answer<Body>> {
  const { path, headers, body } = exampleOf(described);
  const options: RequestOptions = {
    ...(as !== undefined && { as }),
    ...(signed(app, headers, body) ?? { headers, ...(body !== undefined && { body }) }),
  };
  return app.request<Body>(described.method, path, options);
}

/** The maximum length of generated texts, in characters, and of generated lists. */
const MAX_LENGTH = 30;
const MAX_ITEMS = 3;

/** The largest generated id: small, so that ids repeat, and some exist and some do not. */
const MAX_ID = 40;

/** Follows the reference of a schema, if it is one. */
export const resolved = (schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (openApi.components.schemas[name] ?? schema);
};

/** URLs that the server stores but never requests, since tests do not use DNS. */
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
      const { items = {}, minItems = 0, maxItems = MAX_ITEMS } = schema;
      return fc.array(valuesOf(items), {
        minLength: minItems,
        maxLength: Math.min(maxItems, Math.max(minItems, MAX_ITEMS)),
      });
    }
    default:
      return objects(schema);
  }
}

function integers({ format, minimum = -1000, maximum = 10_000 }: Schema): fc.Arbitrary<number> {
  const largest = format === 'int64' ? MAX_ID : 10_000;
  return fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, largest)) });
}

function texts({ format, pattern, minLength = 0, maxLength = MAX_LENGTH }: Schema): fc.Arbitrary<string> {
  const longest = Math.max(minLength, Math.min(maxLength, MAX_LENGTH));
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
      // Random texts almost always match patterns for lines, and hardly ever other patterns.
      return minLength > 0 || pattern.includes('?=')
        ? all.filter((each) => expression.test(each))
        : fc.stringMatching(expression);
    }
  }
}

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  // Members without a type are omitted, since the schema does not describe useful values.
  const described = Object.entries(properties).filter(([, { type, $ref, anyOf }]) => type ?? $ref ?? anyOf);
  const members = Object.fromEntries(described.map(([name, member]) => [name, valuesOf(member)]));
  return fc.record(members, { requiredKeys: [...required] });
}
