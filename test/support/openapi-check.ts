/** Holds every answer that a test gets against openapi.json, and notes what of it was seen. */
import { appendFileSync } from 'node:fs';
import { Ajv2020 as Ajv, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, inject } from 'vitest';
import { coverageFile, parameterSeen, SCENARIOS, statusSeen } from './openapi-coverage.ts';
import { type Operation, openApi } from './openapi-document.ts';

type Response = (typeof openApi)['components']['responses'][string];

/** What was asked and what came back. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly sent: { readonly headers: Headers; readonly body: unknown };
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, undefined for anything else. */
  readonly body: unknown;
  readonly text: string;
}

// Each validator is compiled once and sees few answers: references are not written out again in each, and no code is made shorter.
const ajv = new Ajv({ strict: false, allErrors: false, inlineRefs: false, code: { optimize: false } });
addFormats.default(ajv);
// An address of any alphabet (RFC 6531), which that package does not know.
ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/u);
ajv.addSchema(closed(openApi) as AnySchema, 'openapi.json');

const places = Object.entries(openApi.paths).map(([template, item]) => ({
  template,
  item,
  names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
  pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`),
}));
// Of two that fit, the one with fewer variables is meant.
places.sort((a, b) => a.names.length - b.names.length);

const seen = new Set<string>();

/** @throws Error when the answer is not as openapi.json says. */
export function checkExchange(exchange: Exchange): void {
  for (const problem of problemsWith(exchange)) {
    const { method, path, status, text } = exchange;
    throw new Error(`${method} ${path} answered ${status} ${text.slice(0, 300)}\nopenapi.json: ${problem}`);
  }
}

function* problemsWith(exchange: Exchange): Generator<string> {
  // Of any path: the length would be that of what is not sent (RFC 9110, section 8.6), and these tests do not know it.
  if (exchange.status === 304 && exchange.headers.has('content-length')) yield 'a 304 has a Content-Length';
  const url = new URL(exchange.path, 'http://localhost');
  const place = places.find(({ pattern }) => pattern.test(url.pathname));
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

/** An operation, and where in the document it is. */
interface Described {
  readonly operation: Operation;
  readonly at: string;
}

/** What no operation describes is refused in the form of every error. */
function* problemsElsewhere(
  { method, path, status, headers, body }: Exchange,
  isPath: boolean,
): Generator<string> {
  if (status < 400) {
    if (isPath && method !== 'OPTIONS') yield `there is no ${method} on this path`;
    return;
  }
  const { error, errors } = (body ?? {}) as { error?: string | { code?: unknown }; errors?: unknown };
  // Errors of the authorization server are texts (RFC 6749, section 5.2), and pages for people.
  const isOfOAuth =
    /^\/(oauth|device)\b/.test(path) &&
    (typeof error === 'string' || headers.get('content-type')?.startsWith('text/html'));
  const code = typeof error === 'object' ? error.code : undefined;
  if (method !== 'HEAD' && !isOfOAuth && code === undefined && errors === undefined)
    yield 'an error has a code';
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
    if (text !== '') yield 'there is no body';
  } else if (!response.content[type]) yield `there is no content of ${type || 'no type'}`;
  else if (/[/+]json$/.test(type)) {
    const validate = validator(`${place}/content/${pointer(type)}/schema`);
    if (!validate(body)) yield `the body is not as described: ${ajv.errorsText(validate.errors)}`;
  }
}

/** Headers that mean something to clients: where they are sent, they are described. */
const TELLING =
  /^(etag|location|www-authenticate|retry-after|deprecation|sunset|link|ratelimit.*|idempotent.*)$/;

function* problemsWithHeaders({ headers: described = {} }: Response, headers: Headers): Generator<string> {
  const names = new Map(Object.entries(described).map(([name, header]) => [name.toLowerCase(), header]));
  for (const [name, header] of names) {
    const { required } = '$ref' in header ? (find(header.$ref) as { required?: boolean }) : header;
    if (required && !headers.has(name)) yield `the header ${name} is missing`;
  }
  for (const name of headers.keys()) {
    if (TELLING.test(name) && !names.has(name)) yield `the header ${name} is not described`;
  }
}

/** What is accepted fits what is described: else clients made from the description could not send it. */
function* problemsWithRequest({ sent }: Exchange, { operation, at }: Described): Generator<string> {
  const { requestBody } = operation;
  if (!requestBody) return;
  if (sent.body === undefined) {
    if (requestBody.required) yield 'a body is required';
    return;
  }
  const validate = validator(`${at}/requestBody/content/application~1json/schema`);
  if (!validate(sent.body)) yield `the sent body is not as described: ${ajv.errorsText(validate.errors)}`;
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

/** A step of a JSON pointer (RFC 6901). */
const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** The document with every object closed, so that a member that it does not describe is found. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]));
  const isObject = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isObject && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** Written down at once, since a worker is not notified of its end. */
function note(line: string): void {
  if (seen.has(line) || !expect.getState().testPath?.includes(`/${SCENARIOS}/`)) return;
  seen.add(line);
  appendFileSync(coverageFile(inject('databases').directory), `${line}\n`);
}
