import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { generateKey } from '../../graphql/directives/idempotent.ts';
import type { Context } from '../../pipeline/context.ts';
import { DocumentError } from '../../rest/compile/documents.ts';
import type { Route } from '../../rest/compile/route.ts';
import { fillIn } from '../../rest/compile/spelling.ts';
import type { RestResponse } from '../../rest/handle/handler.ts';
import type { Exports } from '../exports/index.ts';
import { POSITION, REPLAYED } from '../headers.ts';
import { readSignedBody } from '../hooks/body.ts';
import {
  deprecationHooks,
  deprecationOfPath,
  type SetDeprecationHeaders,
  settingHeaders,
} from '../hooks/deprecation.ts';
import { pathIn, queryOf } from '../hooks/message.ts';
import { JSON_TYPE, wantedExport, wantsEventStream } from '../negotiation.ts';
import type { HttpParts, OpenContext, RequestHandler } from '../parts.ts';
import { otherMethods } from './methods.ts';

type Parameters = Record<string, string>;

interface RestRouteParts extends HttpParts {
  readonly exports: Exports;
  readonly streams: {
    /** Returns the handler that streams events at a path; undefined if the path has no stream. */
    readonly eventsOf: (path: string) => RequestHandler | undefined;
  };
}

/**
 * Returns the routes of the facade for Fastify: their methods, HEAD, OPTIONS, 405 with Allow, and former paths.
 *
 * @param taken the paths of the server's own routes.
 * @throws DocumentError if an operation document has a path of the server itself, also as a former path.
 */
export function restRoutes(parts: RestRouteParts, taken: readonly string[]): RouteOptions[] {
  const { routes } = parts.api;
  const shapes = new RegExp(`^(?:${taken.map(shapeOf).join('|')})$`);
  for (const route of routes) refuseTaken(route, shapes);
  const present = [...Map.groupBy(routes, ({ path }) => path)].flatMap(([path, ofPath]) => {
    const url = fastifyPath(path);
    const setDeprecationHeaders = deprecationOfPath(ofPath, parts.services);
    const others = otherMethods(url, methodsOf(ofPath), setDeprecationHeaders);
    return [...ofPath.map((route) => routeOf(route, url, parts)), others];
  });
  const moved = routes.flatMap((route) => route.movedFrom.map((former) => ({ former, route })));
  const former = [...Map.groupBy(moved, (each) => fastifyPath(each.former))].flatMap(([url, ofPath]) => {
    const setDeprecationHeaders = settingHeaders(ofPath[0]?.route.moved, parts.services);
    const others = otherMethods(url, methodsOf(ofPath.map(({ route }) => route)), setDeprecationHeaders);
    return [...ofPath.map((each) => redirect(each, url, parts)), others];
  });
  return [...present, ...former].map(withoutEmptyParameters);
}

/** Refuses paths such as `/v1/orders/`, which the router matches with an empty parameter. */
function withoutEmptyParameters(route: RouteOptions): RouteOptions {
  if (!route.url.includes(':')) return route;
  const refuseEmpty: onRequestHookHandler = ({ params }, reply, done) => {
    if (Object.values(params as Parameters).includes('')) reply.callNotFound();
    else done();
  };
  return { ...route, onRequest: [refuseEmpty, ...[route.onRequest ?? []].flat()] };
}

const methodsOf = (routes: readonly Route[]) => routes.map(({ method }) => method);

function routeOf(route: Route, url: string, parts: RestRouteParts): RouteOptions {
  const { services, openContext, streams } = parts;
  const streamsEvents = streams.eventsOf(route.path) !== undefined;
  const setDeprecationHeaders = settingHeaders(route.deprecation, services);
  return {
    method: route.method,
    url,
    config: {
      operation: route.document.name,
      authorize: route.operation.authorize,
      isSigned: route.signed !== undefined,
      streamsEvents,
    },
    ...(route.signed && {
      preValidation: readSignedBody(route.signed, parts),
    }),
    ...deprecationHooks(route.method, route.path, route.deprecation, services),
    handler: withOtherContent(route, handlerOf(route, openContext), parts, setDeprecationHeaders),
  };
}

function refuseTaken({ document, path, movedFrom }: Route, taken: RegExp): void {
  const found = [path, ...movedFrom].find((each) => taken.test(fastifyPath(each)));
  if (found !== undefined) {
    throw new DocumentError(document.definition, `${found} is a path of the server itself.`);
  }
}

/** The pattern of the paths that a route of the server serves: with a parameter also `/docs/orders`, with a wildcard all below it. */
const shapeOf = (url: string) => url.split('*').map(withParameters).join('.*');

const withParameters = (url: string) =>
  url
    .split(/:\w+/)
    .map((part) => RegExp.escape(part))
    .join('[^/]+');

/** Converts `/v1/orders/{order_id}` to Fastify's syntax. */
const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Returns the path of the request target, which may be in absolute form (RFC 9112, section 3.2.2). */
function pathOf({ url }: FastifyRequest): string {
  const path = pathIn(url);
  return path.startsWith('/') ? path : new URL(path).pathname;
}

/** Adds the export of a list and the stream of a path to a handler, for clients that request them. */
function withOtherContent(
  { path, export: of, operation: { selectsSecret: isSecret } }: Route,
  respond: RequestHandler,
  { exports, streams }: RestRouteParts,
  setDeprecationHeaders: SetDeprecationHeaders | undefined,
): RequestHandler {
  const respondAsEvents = streams.eventsOf(path);
  if (!of && !respondAsEvents) return respond;
  return (request, reply) => {
    // Exports and streams hijack the response, so no onSend hook runs.
    const wanted = of && wantedExport(request);
    if (wanted) {
      request.isCounted = true;
      setDeprecationHeaders?.(reply);
      return exports.respond({ of, wanted, request: requestOf(request), isSecret }, reply);
    }
    if (!respondAsEvents || !wantsEventStream(request)) return respond(request, reply);
    request.isCounted = true;
    setDeprecationHeaders?.(reply);
    return respondAsEvents(request, reply);
  };
}

/** Returns the parts of a request that a route reads. */
export const requestOf = (request: FastifyRequest) => ({
  door: 'rest' as const,
  path: pathOf(request),
  // Fastify's router returns strings by name.
  params: request.params as Parameters,
  query: queryOf(request),
  ifMatch: request.headers['if-match'],
  ifNoneMatch: request.headers['if-none-match'],
  idempotencyKey: request.headers[IDEMPOTENCY_KEY],
  body: request.body,
});

function handlerOf(route: Route, openContext: OpenContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Without a body no signature was checked.
    if (route.signed && !request.message) throw new ApiError('invalid_signature');
    const opened = openContext(reply);
    const context = opened instanceof Promise ? await opened : opened;
    request.isCounted = true;
    const asked = requestOf(request);
    const response = await (route.generatesKey
      ? respondWithKey(route, asked, context, reply)
      : route.handle(asked, context));
    const { status, etag, location, links, body } = response;
    reply.code(status);
    if (route.operation.selectsSecret) reply.header('cache-control', 'no-store');
    if (etag !== undefined) reply.header('etag', etag);
    if (location !== undefined) reply.header('location', location);
    const link = links && linksOf(links);
    if (link) reply.header('link', link);
    const { written } = context;
    if (written !== undefined) reply.header(POSITION, written);
    if (context.replayed.length > 0) reply.header(REPLAYED, 'true');
    return body === undefined ? reply.send() : reply.type(JSON_TYPE).send(body);
  };
}

/** Returns the value of `Link`, empty without links. The relations are in the registry of RFC 8288. */
const linksOf = (links: NonNullable<RestResponse['links']>): string =>
  Object.entries(links)
    .flatMap(([relation, url]) => (url === undefined ? [] : `<${url}>; rel="${relation}"`))
    .join(', ');

/**
 * Responds to a request of a route that generates idempotency keys. Every response to a request without one has the generated key,
 * errors included: the client needs the key for a retry.
 */
async function respondWithKey(
  route: Route,
  asked: ReturnType<typeof requestOf>,
  context: Context,
  reply: FastifyReply,
): Promise<RestResponse> {
  const { node } = route.root;
  if (asked.idempotencyKey === undefined && route.variables.some(({ generated }) => generated)) {
    generateKey(context, (node.alias ?? node.name).value);
  }
  try {
    return await route.handle(asked, context);
  } finally {
    const [key] = Object.values(context.generatedKeys ?? {});
    if (key !== undefined) reply.header(IDEMPOTENCY_KEY, key);
  }
}

const IDEMPOTENCY_KEY = 'idempotency-key';

/** Returns the route of a former path, which redirects to the current one. */
function redirect(
  { former, route }: { readonly former: string; readonly route: Route },
  url: string,
  { services, openContext }: HttpParts,
): RouteOptions {
  return {
    method: route.method,
    url,
    ...deprecationHooks(route.method, former, route.moved, services),
    handler: async (request, reply) => {
      // Uses are counted by caller. Only the current path refuses callers without credentials.
      await openContext(reply);
      const [, query = ''] = /(\?.*)?$/.exec(request.url) ?? [];
      return reply.redirect(
        services.basePath + fillIn(route.path, request.params as Parameters) + query,
        301,
      );
    },
  };
}
