import type { ApolloServer } from '@apollo/server';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import { refuseCrossSite } from '../../hooks/cross-site.ts';
import type { OpenContext } from '../../hooks/request-context.ts';
import { graphqlTypeFor } from '../../negotiation.ts';
import { wantsEventStream } from '../../streams/event-stream-request.ts';
import { showGraphiQL } from '../pages/graphiql.ts';
import type { PageOptions } from '../pages/read-page.ts';
import { createNewOperations } from './apollo.ts';
import { createKnownOperations } from './known-operations.ts';
import { readMessage } from './message.ts';

/** Handles a request in another way than with a single response. */
export type RequestHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export interface GraphQLRouteParts {
  readonly pages: PageOptions;
  readonly graphql: ApolloServer<Context>;
  readonly operations: Operations;
  readonly openContext: OpenContext;
  readonly streams: {
    /** Responds with a stream of events. */
    readonly respondToGraphQL: RequestHandler;
    /** Handles requests that belong to a stream of several operations. */
    readonly handlerOf: (request: FastifyRequest) => RequestHandler | undefined;
  };
}

/** GET and POST are for GraphQL over HTTP, the others for graphql-sse in single connection mode. Fastify adds HEAD for GET. */
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** GraphQL over HTTP at `/graphql`. */
export function graphqlRoutes(parts: GraphQLRouteParts): RouteOptions[] {
  const { graphql, operations, openContext, pages } = parts;
  const { respondToGraphQL: respondAsEvents, handlerOf } = parts.streams;
  const respondIfKnown = createKnownOperations(operations, openContext);
  const respondToNew = createNewOperations(graphql, operations, openContext);
  const route: RouteOptions = {
    method: METHODS,
    url: '/graphql',
    config: { errorFormat: 'graphql' },
    onRequest: [refuseCrossSite, showGraphiQL(pages)],
    handler(request, reply) {
      const handle = handlerOf(request);
      if (handle) return handle(request, reply);
      if (wantsEventStream(request)) return respondAsEvents(request, reply);
      const message = readMessage(request);
      const contentType = graphqlTypeFor(request.headers.accept);
      if (contentType === undefined) throw new ApiError('not_acceptable');
      return (
        respondIfKnown(message, contentType, request, reply) ??
        respondToNew(message, contentType, request, reply)
      );
    },
  };
  return [route];
}
