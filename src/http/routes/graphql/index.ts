import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../pipeline/context.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import { refuseCrossSite } from '../../hooks/cross-site.ts';
import type { OpenContext } from '../../hooks/request-context.ts';
import { wantsEventStream } from '../../streams/event-stream-request.ts';
import { answerOtherMethods } from '../methods.ts';
import { showGraphiQL } from '../pages/graphiql.ts';
import { refuseAmbiguousAddress } from './address.ts';
import type { AnswerKnown } from './known-operations.ts';
import { resolveNamed } from './named-documents.ts';

/** Answers a request in another way than the usual one. */
export type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** GraphQL over HTTP at `/graphql`. */
export function addGraphQLRoute(
  app: FastifyInstance,
  server: ApolloServer<Context>,
  openContext: OpenContext,
  answerAsEvents: Answer,
  answerKnown: AnswerKnown,
  operations: Operations,
  offerDemo: boolean,
): void {
  answerOtherMethods(app, '/graphql', ['GET', 'POST']);
  const answer = fastifyApolloHandler(server, {
    context: async (request, reply) => openContext(request, reply),
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { errorFormat: 'graphql' },
    onRequest: [treatHeadAsGet, refuseCrossSite, showGraphiQL(offerDemo)],
    onSend: sendAsHead,
    handler(request, reply) {
      refuseAmbiguousAddress(request);
      if (wantsEventStream(request)) return answerAsEvents(request, reply);
      const known = answerKnown(request, reply);
      if (known) return known;
      resolveNamed(request, operations);
      return answer.call(this, request, reply);
    },
  });
}

/**
 * HEAD is GET without the body of its answer (RFC 9110, section 9.3.2). Apollo Server knows nothing of it, so it is shown a GET
 * until the answer leaves.
 */
async function treatHeadAsGet(request: FastifyRequest): Promise<void> {
  if (request.method !== 'HEAD') return;
  Object.defineProperty(request, 'method', { value: 'GET', configurable: true });
}

/** Fastify, which leaves the body out and keeps its length, goes by the method. */
async function sendAsHead(request: FastifyRequest): Promise<void> {
  Reflect.deleteProperty(request, 'method');
}
