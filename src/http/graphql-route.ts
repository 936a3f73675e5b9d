import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance } from 'fastify';
import { type Context, createContext, type Services } from '../graphql/context.ts';
import type { Authenticate } from './authentication.ts';
import { refuseCrossSite } from './cross-site.ts';
import { answerOtherMethods } from './methods.ts';

/** GraphQL over HTTP at `/graphql`. */
export function addGraphQLRoute(
  app: FastifyInstance,
  server: ApolloServer<Context>,
  services: Services,
  authenticate: Authenticate,
): void {
  answerOtherMethods(app, '/graphql', ['GET', 'POST']);
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { errorFormat: 'graphql' },
    onRequest: refuseCrossSite,
    handler: fastifyApolloHandler(server, {
      context: async (request) => {
        const context = createContext(services, await authenticate(request));
        request.spending = context.spending;
        return context;
      },
    }),
  });
}
