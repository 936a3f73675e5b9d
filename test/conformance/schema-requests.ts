/** Generates requests to all routes that are valid according to openapi.json. They only depend on the seed. */
import fc from 'fast-check';
import type { Parameter } from '../../src/rest/openapi/types.ts';
import { valuesOf } from '../support/inputs/openapi-requests.ts';
import { type DescribedOperation, operations } from '../support/openapi.ts';

export interface SchemaRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Routes that are not called: invitations, because a refused row uses up an id on PostgreSQL; those that require a signature, which no
 * schema describes; those whose responses depend on the time; and those that end the session of the caller.
 */
const LEFT_OUT =
  /\/(auth\/|payment-events|metrics|readyz|graphql)|^(PATCH|DELETE) \/v\d\/orgs\/\{org\}\/users|^DELETE .*\/sessions|\/(password|invitations)$/;

const called = operations.filter(({ name, path }) => !LEFT_OUT.test(name) && !LEFT_OUT.test(path));

/** Values of path parameters that refer to the demo data. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  org: ['acme', 'acme', 'acme', 'globex'],
  user_id: ['1', '2', '3', '4', '99'],
};

function textsOf({
  name,
  in: place,
  schema,
  required,
  example,
}: Parameter): fc.Arbitrary<readonly string[] | undefined> {
  const known = NAMED[name];
  const value =
    known && place === 'path'
      ? fc.constantFrom(...known)
      : place === 'path' && schema.pattern !== undefined
        ? fc.constant(example)
        : valuesOf(schema);
  const texts = value.map((each) => (Array.isArray(each) ? each.map(String) : [String(each)]));
  return required ? texts : fc.option(texts, { nil: undefined, freq: 1 });
}

function requestsOf({ name, method, path, operation }: DescribedOperation): fc.Arbitrary<SchemaRequest> {
  const { parameters = [], requestBody } = operation;
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema ? valuesOf(schema) : fc.constant(undefined);
  const sent = requestBody && !requestBody.required ? fc.option(body, { nil: undefined }) : body;
  return fc.tuple(sent, ...parameters.map(textsOf)).map(([content, ...values]) => {
    const at = (place: Parameter['in']) =>
      parameters.flatMap((parameter, index) =>
        parameter.in === place
          ? (values[index] ?? []).map((value): [string, string] => [parameter.name, value])
          : [],
      );
    const inPath = new Map(at('path'));
    const query = new URLSearchParams(at('query'));
    const filled = path.replace(/\{(\w+)\}/g, (_, each: string) =>
      encodeURIComponent(inPath.get(each) ?? ''),
    );
    return {
      name,
      method,
      path: query.size > 0 ? `${filled}?${query}` : filled,
      headers: Object.fromEntries(at('header')),
      body: content,
    };
  });
}

export const schemaRequests = (seed: number, count: number): SchemaRequest[] =>
  fc.sample(fc.oneof(...called.map(requestsOf)), { seed, numRuns: count });
