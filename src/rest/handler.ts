import fastJsonStringify from 'fast-json-stringify';
import type { ExecutionResult } from 'graphql';
import { ApiError, REPLAYED } from '../errors.ts';
import type { CompiledOperation } from '../graphql/compile.ts';
import type { Context } from '../graphql/context.ts';
import type { OperationPrice } from '../graphql/cost/pricing.ts';
import { type Access, authorizeCaller } from '../graphql/directives/auth.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Binding, RestRequest } from './binding.ts';
import { etagOf, ifNoneMatch } from './conditions.ts';
import type { JsonSchema, MemberPath, View } from './view.ts';

/** What a route answers. Errors are thrown as `ApiError` instead. */
export interface RestResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** JSON text, undefined when there is no body. */
  readonly body: string | undefined;
}

export type Handler = (request: RestRequest, context: Context) => Promise<RestResponse>;

export interface HandlerParts {
  /** The name of the operation. */
  readonly operation: string;
  /** Whether the route only reads, and so may answer 304. */
  readonly isRead: boolean;
  /** Whether no cache may keep the answer. */
  readonly secret: boolean;
  readonly view: View;
  readonly status: number;
  readonly location: string | undefined;
  readonly access: Access;
  readonly binding: Binding;
  readonly translate: (error: ApiError) => ApiError;
  readonly price: OperationPrice;
  readonly execute: CompiledOperation;
}

type Body = Record<string, unknown>;

/** What a trace says of an operation that is run for a route. */
const OPERATION = { 'graphql.door': 'rest' };

/**
 * The way of every REST request, in the order of its steps: authorize, bind, pay, execute, then write the answer. Whoever
 * may not call is told so before what it sent is looked at.
 */
export function createHandler(parts: HandlerParts): Handler {
  const { operation, access, binding, price, execute, translate, view } = parts;
  const respond = createResponder(parts);
  return async (request, context) => {
    const { metrics, spending } = context;
    let variables: Record<string, unknown>;
    let requested: number;
    try {
      if (access !== 'public') authorizeCaller(context, access);
      variables = binding.bind(request);
      requested = price.requested(variables);
    } catch (error) {
      // To be refused is not free, or somebody without a budget could go on asking.
      await spending.take(1);
      throw error;
    }
    metrics.cost('rest', requested);
    const taken = spending.take(requested);
    if (taken) await taken;
    const run = () => execute(context, variables);
    const result = await (context.tracing?.span(operation, OPERATION, run) ?? run());
    if (result.errors) throw failureOf(result, translate);
    spending.settle(price.actual(result.data));
    const value = result.data?.[view.rootName];
    if (value === null || value === undefined) throw new ApiError('not_found');
    const response = respond(request, value, context.basePath);
    if (context.replayed.length > 0) response.headers[REPLAYED] = 'true';
    return response;
  };
}

function failureOf({ errors }: ExecutionResult, translate: (error: ApiError) => ApiError): ApiError {
  return translate(toApiError(errors?.[0]));
}

function createResponder({ view, status, location, isRead, secret }: HandlerParts) {
  if (status === 204) return (): RestResponse => ({ status, headers: {}, body: undefined });
  const stringify = fastJsonStringify(mutableSchema(view.bodySchema));

  return (request: RestRequest, value: unknown, basePath: string): RestResponse => {
    // The root of a route with a body is an object: a leaf could not carry members.
    const body = value as Body;
    const headers: Record<string, string> = secret ? { 'cache-control': 'no-store' } : {};
    if (view.etag !== undefined) {
      const etag = etagOf(Number(body[view.etag]));
      headers['etag'] = etag;
      if (isRead && ifNoneMatch(request.headers['if-none-match'], etag)) {
        return { status: 304, headers, body: undefined };
      }
    }
    if (location !== undefined)
      headers['location'] = basePath + fillIn(location, { ...request.params, ...body });
    const self = basePath + request.path;
    for (const { path, parameter } of view.pageLinks) linkPage(body, path, parameter, self, request.query);
    return { status, headers, body: stringify(body) };
  };
}

/** fast-json-stringify declares its input as mutable and does not write to it. */
export function mutableSchema(schema: JsonSchema): Parameters<typeof fastJsonStringify>[0] {
  return schema as Parameters<typeof fastJsonStringify>[0];
}

function fillIn(template: string, values: Body): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** Puts the request's own path, with another page and otherwise the same parameters, where the page number stood. */
function linkPage(
  body: Body,
  path: MemberPath,
  parameter: string,
  own: string,
  query: RestRequest['query'],
): void {
  let owner: Body = body;
  // Every step but the last is an object, since no list stands on the way to a page link.
  for (const name of path.slice(0, -1)) owner = owner[name] as Body;
  const last = path.at(-1) ?? '';
  const page = owner[last];
  if (page === null) return;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) parameters.append(name, String(each));
  }
  parameters.set(parameter, String(page));
  owner[last] = `${own}?${parameters}`;
}
