import type { onRequestHookHandler } from 'fastify';

/** Names the request in its response, so that a client can report it. */
export const sendRequestId: onRequestHookHandler = (request, reply, done) => {
  reply.header('x-request-id', request.id);
  done();
};
