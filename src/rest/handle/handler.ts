import { type ParsedUrlQueryInput, stringify as stringifyQuery } from 'node:querystring';
import type { ExecutionResult } from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { toApiError } from '../../graphql/errors.ts';
import { jsonWriter } from '../../pipeline/compile.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Operation } from '../../pipeline/operation.ts';
import { runOperation } from '../../pipeline/run.ts';
import { fillInMembers } from '../compile/spelling.ts';
import { NEXT_CURSOR, type View } from '../compile/view.ts';
import type { createTranslation } from './arguments.ts';
import type { Binding, RestRequest } from './binding.ts';
import { etagOf, etagOfText, evaluate, isConditional, readConditions } from './conditions.ts';

/** The response of a route. Errors are thrown as `ApiError` instead. */
export interface RestResponse {
  readonly status: number;
  /** The entity tag of the representation; undefined if it has none. */
  readonly etag: string | undefined;
  /** The path of the created resource; undefined if none was created. */
  readonly location: string | undefined;
  /** The links to other pages and to the stream of a list, by relation; undefined for anything but a list. */
  readonly links: Readonly<Record<'next' | 'monitor', string | undefined>> | undefined;
  /** JSON text, undefined without a body. */
  readonly body: string | undefined;
}

export type Handler = (request: RestRequest, context: Context) => Promise<RestResponse>;

/** The operation of a route, how to read its variables, and how to write its result and errors. */
export interface RouteParts {
  readonly operation: Operation;
  readonly binding: Binding;
  readonly view: View;
  readonly translate: ReturnType<typeof createTranslation>;
}

interface HandlerParts extends RouteParts {
  /** Whether the route only reads, and so may return 304. */
  readonly isRead: boolean;
  readonly status: number;
  readonly location: string | undefined;
}

type Body = Record<string, unknown>;

/** Creates the handler of a route, which runs the operation for a request and writes the response. */
export function createHandler(parts: HandlerParts): Handler {
  const { operation, binding, translate, view } = parts;
  const respond = createResponder(parts);
  const find = () => operation;
  return async (request, context) => {
    let response: RestResponse | undefined;
    const running = {
      door: request.door,
      isPart: request.isPart,
      find,
      readVariables: () => binding.bind(request),
      respond({ data }: ExecutionResult) {
        const value = data?.[view.rootName];
        if (value === null || value === undefined) throw new ApiError('not_found');
        response = respond(request, value, context.basePath);
      },
    };
    const { refusal, executed } = await runOperation(running, context);
    if (refusal) throw refusal;
    if (response) return response;
    throw translate(toApiError(executed?.result.errors?.[0]), request.query);
  };
}

function createResponder({ view, status, location: template, isRead }: HandlerParts) {
  const empty = { etag: undefined, location: undefined, links: undefined, body: undefined };
  if (status === 204) return (): RestResponse => ({ status, ...empty });
  const stringify = jsonWriter(view.bodySchema);
  // A list that shows only its newest rows has no other pages, but may have a stream.
  const hasLinks = view.isPage || view.streamCursor !== undefined;

  return (request: RestRequest, value: unknown, basePath: string): RestResponse => {
    // The root of a route with a body is an object: a leaf could not carry members.
    const body = value as Body;
    const links = hasLinks ? linksOf(view, body, basePath + request.path, request.query) : undefined;
    const text = stringify(body);
    const etag = tagOf(view, body, text);
    if (isRead && isConditional(request)) {
      const evaluation = evaluate(readConditions(request), etag, true);
      if (evaluation === 'failed') throw new ApiError('precondition_failed');
      if (evaluation === 'not modified') return { ...empty, status: 304, etag, links };
    }
    const location = template && basePath + fillInMembers(template, { ...request.params, ...body });
    return { status, etag, location, links, body: text };
  };
}

/** Returns the entity tag of a row, made from its version, or of a page, made from its text; undefined for anything else. */
function tagOf({ etag, isPage }: View, body: Body, text: string): string | undefined {
  if (etag !== undefined) return etagOf(Number(body[etag]));
  return isPage ? etagOfText(text) : undefined;
}

/** Replaces page numbers in a body by links, and returns the URLs for `Link` (RFC 8288): the next page, and the stream that continues it. */
const linksOf = (view: View, body: Body, self: string, query: RestRequest['query']) => ({
  next: linkPages(view, body, self, query),
  monitor: streamOf(view, body, self, query),
});

/** Returns the URL of the next page; undefined for the last one. */
function linkPages(
  { pageLinks, hasCursor }: View,
  body: Body,
  self: string,
  query: RestRequest['query'],
): string | undefined {
  let next: string | undefined;
  for (const { path, parameter } of pageLinks) {
    // Every step but the last is an object, since a page link is not inside a list.
    const owner = path.slice(0, -1).reduce((object, name) => object[name] as Body, body);
    const last = path.at(-1) ?? '';
    const page = owner[last];
    if (page === null) continue;
    const link = withParameter(self, query, parameter, String(page));
    owner[last] = link;
    if (last === 'next') next = link;
  }
  if (!hasCursor) return next;
  const cursor = body[NEXT_CURSOR];
  return cursor === null ? undefined : withParameter(self, query, 'cursor', String(cursor));
}

function streamOf(
  { streamCursor }: View,
  body: Body,
  self: string,
  { limit: _, ...filters }: RestRequest['query'],
): string | undefined {
  const cursor = streamCursor === undefined ? null : body[streamCursor];
  return cursor === null ? undefined : withParameter(self, filters, 'cursor', String(cursor));
}

/** Returns the request's own path and query, with one parameter changed. */
function withParameter(self: string, query: RestRequest['query'], name: string, value: string): string {
  // The values of a query are strings, or lists of them. Those of a tool can be numbers or Booleans.
  return `${self}?${stringifyQuery({ ...query, [name]: value } as ParsedUrlQueryInput)}`;
}
