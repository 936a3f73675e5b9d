import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  RouteOptions,
} from 'fastify';
import type { Context } from '../../../pipeline/context.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import type { OnInternalError } from '../../../pipeline/result.ts';
import { refuseSecondToken } from '../../hooks/authentication.ts';
import { refuseCrossSite } from '../../hooks/cross-site.ts';
import type { OpenContext } from '../../hooks/request-context.ts';
import { wantsEventStream } from '../../streams/event-stream-request.ts';
import { showGraphiQL } from '../pages/graphiql.ts';
import type { PageOptions } from '../pages/read-page.ts';
import { refuseAmbiguousAddress } from './address.ts';
import { createKnownOperations } from './known-operations.ts';
import { resolveNamed } from './named-documents.ts';

/** Handles a request in another way than with a single response. */
export type RequestHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export interface GraphQLRouteParts extends PageOptions {
  readonly graphql: ApolloServer<Context>;
  readonly operations: Operations;
  readonly openContext: OpenContext;
  readonly onInternalError: OnInternalError;
  /** Responds with a stream of events. */
  readonly respondAsEvents: RequestHandler;
  /** Handles requests that belong to a stream of several operations. */
  readonly handlerOf: (request: FastifyRequest) => RequestHandler | undefined;
}

/** GET and POST are for GraphQL over HTTP, the others for graphql-sse in single connection mode. */
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** GraphQL over HTTP at `/graphql`. */
export function graphqlRoutes(parts: GraphQLRouteParts): RouteOptions[] {
  const { graphql, operations, openContext, respondAsEvents, handlerOf } = parts;
  const respondIfKnown = createKnownOperations(operations, openContext, parts.onInternalError);
  const respond = fastifyApolloHandler(graphql, {
    context: async (request, reply) => openContext(request, reply),
  });
  const route: RouteOptions = {
    method: METHODS,
    url: '/graphql',
    config: { errorFormat: 'graphql' },
    onRequest: [treatHeadAsGet, refuseCrossSite, showGraphiQL(parts)],
    onSend: sendAsHead,
    handler(request, reply) {
      refuseAmbiguousAddress(request);
      // Apollo Server would report an error of its context function as an internal failure.
      refuseSecondToken(request);
      const handle = handlerOf(request);
      if (handle) return handle(request, reply);
      if (wantsEventStream(request)) return respondAsEvents(request, reply);
      const known = respondIfKnown(request, reply);
      if (known) return known;
      resolveNamed(request, operations);
      return respond.call(this, request, reply);
    },
  };
  return [route];
}

/**
 * Handles HEAD as GET without the body of the response (RFC 9110, section 9.3.2). Apollo Server does not support HEAD, so the
 * request appears as a GET until the response is sent.
 */
const treatHeadAsGet: onRequestHookHandler = (request, _reply, done) => {
  if (request.method === 'HEAD')
    Object.defineProperty(request, 'method', { value: 'GET', configurable: true });
  done();
};

/** Restores HEAD, by which Fastify omits the body and keeps its length. */
const sendAsHead: onSendHookHandler = (request, _reply, payload, done) => {
  if (request.raw.method === 'HEAD') Reflect.deleteProperty(request, 'method');
  done(null, payload);
};
