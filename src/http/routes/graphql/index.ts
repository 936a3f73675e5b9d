/** GraphQL over HTTP at `/graphql`. Operations with a known document run compiled, and without Apollo Server. */
import type { ApolloServer } from '@apollo/server';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import type { Operation } from '../../../pipeline/operation.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import { responseTo, writeResponse } from '../../../pipeline/response.ts';
import { runOperation } from '../../../pipeline/run.ts';
import type { OperationMessage } from '../../../subscriptions/operation-runner.ts';
import { refuseCrossSite } from '../../hooks/cross-site.ts';
import { graphqlTypeFor, wantsEventStream } from '../../negotiation.ts';
import type { HttpParts, RequestHandler } from '../../parts.ts';
import { showGraphiQL } from '../pages/index.ts';
import { createNewOperations } from './apollo.ts';
import { headOf, readMessage, statusOf } from './over-http.ts';

interface GraphQLDoors {
  readonly graphql: ApolloServer<Context>;
  readonly streams: {
    /** Responds with a stream of events. */
    readonly respondToGraphQL: RequestHandler;
    /** Handles requests that belong to a stream of several operations. */
    readonly handlerOf: (request: FastifyRequest) => RequestHandler | undefined;
  };
}

export function graphqlRoutes(parts: HttpParts, { graphql, streams }: GraphQLDoors): RouteOptions[] {
  const { operations, openContext } = parts;
  const respondToNew = createNewOperations(graphql, parts);
  const route: Omit<RouteOptions, 'method'> = {
    url: '/graphql',
    config: { errorFormat: 'graphql' },
    handler(request, reply) {
      const handle = streams.handlerOf(request);
      if (handle) return handle(request, reply);
      if (wantsEventStream(request)) return streams.respondToGraphQL(request, reply);
      const message = readMessage(request);
      const contentType = graphqlTypeFor(request.headers.accept);
      if (contentType === undefined) throw new ApiError('not_acceptable');
      const find = finderOf(message, operations);
      if (!find) return respondToNew(message, contentType, reply);
      return respondToKnown(find, message, contentType, reply);
    },
  };
  return [
    // Fastify adds HEAD.
    {
      ...route,
      method: 'GET',
      config: { ...route.config, streamsEvents: true },
      onRequest: [refuseCrossSite, showGraphiQL(parts)],
    },
    // PUT and DELETE are for graphql-sse in single connection mode.
    { ...route, method: ['POST', 'PUT', 'DELETE'], onRequest: refuseCrossSite },
  ];

  async function respondToKnown(
    find: () => Operation,
    { isSafe = false, variables }: OperationMessage,
    contentType: string,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const opened = openContext(reply);
    const context = opened instanceof Promise ? await opened : opened;
    const readVariables = (operation: Operation) => operation.checked(variables ?? {});
    const outcome = await runOperation({ door: 'graphql', isSafe, find, readVariables }, context);
    const response = responseTo(outcome, context);
    const { accept } = reply.request.headers;
    const { status, headers } = headOf(outcome, context, (failure) => statusOf(failure, accept));
    reply.code(status).headers(headers).type(contentType);
    return reply.send(writeResponse(outcome, response));
  }
}

/** Returns a function that returns the operation or throws its known error; undefined for a new document. */
function finderOf(message: OperationMessage, operations: Operations): (() => Operation) | undefined {
  try {
    const operation = operations.known(operations.textOf(message), message.operationName);
    return operation && (() => operation);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
