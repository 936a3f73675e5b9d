import type { onRequestHookHandler } from 'fastify';

/** Sends the request id, so that a client can report it. */
export const sendRequestId: onRequestHookHandler = (request, reply, done) => {
  reply.header('x-request-id', request.id);
  done();
};
