import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../graphql/context.ts';
import { refuseCrossSite } from './cross-site.ts';
import { answerOtherMethods } from './methods.ts';
import type { OpenContext } from './request-context.ts';

/** GraphQL over HTTP at `/graphql`. */
export function addGraphQLRoute(
  app: FastifyInstance,
  server: ApolloServer<Context>,
  openContext: OpenContext,
): void {
  answerOtherMethods(app, '/graphql', ['GET', 'POST']);
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { errorFormat: 'graphql' },
    onRequest: refuseCrossSite,
    handler: fastifyApolloHandler(server, {
      context: async (request, reply) => openContext(request, reply),
    }),
  });
}
