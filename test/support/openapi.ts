/** The committed openapi.json. Validates every response in tests against it, and records the coverage. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 as Ajv, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, inject } from 'vitest';
import type { OpenApi } from '../../src/rest/openapi/types.ts';
import { ROOT } from './process.ts';
import { coverageFile, parameterSeen, SCENARIOS, statusSeen } from './vitest/openapi-coverage.ts';

// A separate test verifies that the server generates this file.
export const openApi = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;

type Operation = OpenApi['paths'][string][string];

/** An operation with its method and path. */
export interface DescribedOperation {
  /** Such as `GET /v1/orders/{order_id}`. */
  readonly name: string;
  readonly method: string;
  /** The path template, with variables in braces. */
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

type Response = (typeof openApi)['components']['responses'][string];

/** A request and its response. */
export interface Exchange {
  readonly method: string;
  /** The path with the query string. */
  readonly path: string;
  readonly sent: { readonly headers: Headers; readonly body: unknown };
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined if the body is not JSON. */
  readonly body: unknown;
  readonly text: string;
}

// Each validator is compiled once and used for few responses, so compilation is optimised: no inlined references, no code optimisation.
// Another test validates the document, which takes longer here than compiling most validators.
const ajv = new Ajv({
  strict: false,
  allErrors: false,
  inlineRefs: false,
  validateSchema: false,
  code: { optimize: false },
});
addFormats.default(ajv);
// Internationalised email addresses (RFC 6531), which that package does not support.
ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/u);
ajv.addSchema(closed(openApi) as AnySchema, 'openapi.json');

/** The number of segments of a path. A variable is one segment. */
const depthOf = (path: string) => path.split('/').length;

/** By the depth of their paths. If two templates match, the one with fewer variables applies. */
const places = Map.groupBy(
  Object.entries(openApi.paths)
    .map(([template, item]) => ({
      template,
      item,
      names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
      pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`),
    }))
    .toSorted((a, b) => a.names.length - b.names.length),
  ({ template }) => depthOf(template),
);

const seen = new Set<string>();

/** @throws Error if the response does not conform to openapi.json. */
export function checkExchange(exchange: Exchange): void {
  for (const problem of problemsWith(exchange)) {
    const { method, path, status, text } = exchange;
    throw new Error(`${method} ${path} returned ${status} ${text.slice(0, 300)}\nopenapi.json: ${problem}`);
  }
}

function* problemsWith(exchange: Exchange): Generator<string> {
  // On any path: the length would be that of the 200 response (RFC 9110, section 8.6), which is not known here.
  if (exchange.status === 304 && exchange.headers.has('content-length')) yield 'a 304 has a Content-Length';
  const url = new URL(exchange.path, 'http://localhost');
  const place = places.get(depthOf(url.pathname))?.find(({ pattern }) => pattern.test(url.pathname));
  const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
  const operation = place?.item[method];
  if (!operation || !place) {
    yield* problemsElsewhere(exchange, place !== undefined);
    return;
  }
  const described: Described = { operation, at: `/paths/${pointer(place.template)}/${method}` };
  yield* problemsWithAnswer(exchange, described);
  if (exchange.status < 300) yield* problemsWithRequest(exchange, described);
  noteSeen(exchange, url, operation);
}

/** An operation and its JSON pointer in the document. */
interface Described {
  readonly operation: Operation;
  readonly at: string;
}

/** Requests without a described operation must fail with an error in the standard format. */
function* problemsElsewhere(
  { method, path, status, headers, body }: Exchange,
  isPath: boolean,
): Generator<string> {
  if (status < 400) {
    if (isPath && method !== 'OPTIONS') yield `there is no ${method} on this path`;
    return;
  }
  const { error, errors } = (body ?? {}) as { error?: string | { code?: unknown }; errors?: unknown };
  // The authorization server returns errors as strings (RFC 6749, section 5.2) or as HTML pages.
  const isOfOAuth =
    /^\/(oauth|device)\b/.test(path) &&
    (typeof error === 'string' || headers.get('content-type')?.startsWith('text/html'));
  const code = typeof error === 'object' ? error.code : undefined;
  if (method !== 'HEAD' && !isOfOAuth && code === undefined && errors === undefined)
    yield 'the error has no code';
}

function* problemsWithAnswer(
  { method, status, headers, body, text }: Exchange,
  { operation, at }: Described,
): Generator<string> {
  const key = statusKey(operation, status);
  const described = operation.responses[key];
  if (!described) {
    yield `${operation.operationId} has no status ${status}`;
    return;
  }
  const [response, place] = resolved(described, `${at}/responses/${key}`);
  yield* problemsWithHeaders(response, headers);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!response.content || method === 'HEAD') {
    if (text !== '') yield 'a body is not described';
  } else if (!response.content[type]) yield `the content type ${type || '(none)'} is not described`;
  else if (/[/+]json$/.test(type)) {
    const validate = validator(`${place}/content/${pointer(type)}/schema`);
    if (!validate(body)) yield `the body does not match its schema: ${ajv.errorsText(validate.errors)}`;
  }
}

/** Headers that clients use, which must be described if they are sent. */
const DESCRIBED_HEADERS =
  /^(etag|location|www-authenticate|retry-after|deprecation|sunset|link|ratelimit.*|idempotent.*)$/;

function* problemsWithHeaders({ headers: described = {} }: Response, headers: Headers): Generator<string> {
  const names = new Map(Object.entries(described).map(([name, header]) => [name.toLowerCase(), header]));
  for (const [name, header] of names) {
    const { required } = '$ref' in header ? (find(header.$ref) as { required?: boolean }) : header;
    if (required && !headers.has(name)) yield `the header ${name} is missing`;
  }
  for (const name of headers.keys()) {
    if (DESCRIBED_HEADERS.test(name) && !names.has(name)) yield `the header ${name} is not described`;
  }
}

/** Accepted requests must conform to the description; otherwise generated clients could not send them. */
function* problemsWithRequest({ sent }: Exchange, { operation, at }: Described): Generator<string> {
  const { requestBody } = operation;
  if (!requestBody) return;
  if (sent.body === undefined) {
    if (requestBody.required) yield 'a body is required';
    return;
  }
  const validate = validator(`${at}/requestBody/content/application~1json/schema`);
  if (!validate(sent.body))
    yield `the request body does not match its schema: ${ajv.errorsText(validate.errors)}`;
}

function noteSeen({ status, sent }: Exchange, url: URL, operation: Operation): void {
  const { operationId, parameters = [] } = operation;
  note(statusSeen(operationId, statusKey(operation, status)));
  for (const { name, in: where } of parameters) {
    const isSent =
      where === 'path' || (where === 'query' ? url.searchParams.has(name) : sent.headers.has(name));
    if (isSent) note(parameterSeen(operationId, where, name));
  }
}

const statusKey = ({ responses }: Operation, status: number): string =>
  responses[status] ? String(status) : `${String(status)[0]}XX`;

function resolved(described: Operation['responses'][string], at: string): [Response, string] {
  if (!('$ref' in described)) return [described, at];
  return [find(described.$ref) as Response, described.$ref.slice(1)];
}

function find(ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, step) => Reflect.get(value as object, step), openApi);
}

const validators = new Map<string, ValidateFunction>();

function validator(at: string): ValidateFunction {
  const known = validators.get(at) ?? ajv.compile({ $ref: `openapi.json#${encodeURI(at)}` });
  validators.set(at, known);
  return known;
}

/** Escapes a step of a JSON pointer (RFC 6901). */
const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the document with `additionalProperties: false` in all objects, so that undescribed members are errors. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]));
  const isObject = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isObject && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** Records coverage immediately, since workers are not notified before they end. */
function note(line: string): void {
  if (seen.has(line) || !expect.getState().testPath?.includes(`/${SCENARIOS}/`)) return;
  seen.add(line);
  appendFileSync(coverageFile(inject('databases').directory), `${line}\n`);
}
