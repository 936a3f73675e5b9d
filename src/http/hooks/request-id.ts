import type { onRequestHookHandler } from 'fastify';

/** Sends the request id, so that a client can report it. */
export const sendRequestId: onRequestHookHandler = (request, reply, done) => {
  reply.raw.requestId = request.id;
  done();
};
