import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { SignatureScheme } from '../../core/signatures.ts';
import type { Services } from '../../pipeline/context.ts';
import { DocumentError, type Route } from '../../rest/index.ts';
import { REPLAYED } from '../headers/errors.ts';
import {
  type Announce,
  announceForPath,
  announceForRoute,
  countUses,
  whenSent,
} from '../hooks/deprecation.ts';
import { acceptSignedJson } from '../hooks/json-body.ts';
import type { OpenContext } from '../hooks/request-context.ts';
import { wantsEventStream } from '../streams/event-stream-request.ts';
import type { Answer } from './graphql/index.ts';
import { answerOtherMethods, METHODS } from './methods.ts';

type Parameters = Record<string, string>;

/** Binds the routes of the facade to Fastify: their methods, HEAD, OPTIONS, 405 with Allow, and former paths. */
export function addRestRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  services: Services,
  openContext: OpenContext,
  eventsOf: (path: string) => Answer | undefined,
): void {
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const url = fastifyPath(path);
    refuseTaken(app, ofPath);
    for (const route of ofPath) {
      const announce = announceForRoute(route, services);
      const options = {
        method: route.method,
        url,
        config: { operation: route.operation.name },
        ...whenSent(announce),
        ...countUses(route, services),
        handler: withEvents(handlerOf(route, openContext), eventsOf(path), announce),
      };
      if (route.signed) addSigned(app, options, route.signed, services, openContext);
      else app.route(options);
    }
    answerOtherMethods(
      app,
      url,
      ofPath.map((route) => route.method),
      announceForPath(ofPath, services),
    );
  }
  const moved = routes.flatMap((route) => route.movedFrom.map((former) => ({ former, route })));
  for (const [former, ofPath] of Map.groupBy(moved, ({ former }) => fastifyPath(former))) {
    for (const { route } of ofPath) addRedirect(app, former, route, services.basePath);
    answerOtherMethods(
      app,
      former,
      ofPath.map(({ route }) => route.method),
    );
  }
}

/** A scope of its own, in which bodies are read otherwise. */
function addSigned(
  app: FastifyInstance,
  options: RouteOptions,
  scheme: SignatureScheme,
  services: Services,
  openContext: OpenContext,
): void {
  app.register(async (scope) => {
    acceptSignedJson(scope, scheme, services, openContext);
    scope.route(options);
  });
}

function refuseTaken(app: FastifyInstance, routes: readonly Route[]): void {
  for (const { operation, path } of routes) {
    if (METHODS.some((method) => app.hasRoute({ method, url: fastifyPath(path) }))) {
      throw new DocumentError(operation.definition, `${path} is a path of the server itself.`);
    }
  }
}

/** `/v1/orders/{order_id}` as Fastify writes it. */
const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? url;

/** A route that is a stream as well, to clients that ask for one. */
function withEvents(
  answer: Answer,
  answerAsEvents: Answer | undefined,
  announce: Announce | undefined,
): Answer {
  if (!answerAsEvents) return answer;
  return (request, reply) => {
    if (!wantsEventStream(request)) return answer(request, reply);
    // A stream is not sent by Fastify.
    announce?.(request, reply);
    return answerAsEvents(request, reply);
  };
}

function handlerOf(route: Route, openContext: OpenContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // A body that is missing was not signed, and nobody has looked for a signature then.
    if (route.signed && !request.message) throw new ApiError('invalid_signature');
    const { headers } = request;
    const opened = openContext(request, reply);
    const context = opened instanceof Promise ? await opened : opened;
    const response = await route.handle(
      {
        path: pathOf(request),
        // Fastify's router gives texts by name, and its query parser texts or lists of texts.
        params: request.params as Parameters,
        query: request.query as Record<string, unknown>,
        ifMatch: headers['if-match'],
        ifNoneMatch: headers['if-none-match'],
        idempotencyKey: headers[IDEMPOTENCY_KEY] ?? (route.makesKeys ? makeKey(reply) : undefined),
        body: request.body,
      },
      context,
    );
    const { status, etag, location, isSecret, body } = response;
    reply.code(status);
    if (isSecret) reply.header('cache-control', 'no-store');
    if (etag !== undefined) reply.header('etag', etag);
    if (location !== undefined) reply.header('location', location);
    if (context.replayed.length > 0) reply.header(REPLAYED, 'true');
    return body === undefined ? reply.send() : reply.type(JSON_TYPE).send(body);
  };
}

/**
 * An idempotency key for a request without one. The client gets it with every response, also of an error: it needs the key to
 * send the request again.
 */
function makeKey(reply: FastifyReply): string {
  const key = randomUUID();
  reply.header(IDEMPOTENCY_KEY, key);
  return key;
}

const IDEMPOTENCY_KEY = 'idempotency-key';

const JSON_TYPE = 'application/json; charset=utf-8';

function addRedirect(app: FastifyInstance, former: string, route: Route, basePath: string): void {
  app.route({
    method: route.method,
    url: former,
    handler: (request, reply) => {
      const parameters = request.params as Parameters;
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(parameters[name] ?? ''),
      );
      const query = request.url.slice(pathOf(request).length);
      return reply.redirect(basePath + path + query, 301);
    },
  });
}
