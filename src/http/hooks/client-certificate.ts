import type { onRequestHookHandler } from 'fastify';
import type { ReadForwarded } from '../tls/forwarded.ts';

/** Reads the client certificate that a proxy forwards in a header. */
export function readCertificate(read: ReadForwarded): onRequestHookHandler {
  return (request, _reply, done) => {
    read(request.raw);
    done();
  };
}
