import type { IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';

const HEADER = 'x-forwarded-for';

/** An address with a port, or an IPv6 address in brackets, perhaps with its zone. */
const WITH_PORT = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-f:.]+(?:%[\w.-]+)?)\](?::\d+)?)$/i;

/**
 * Removes the ports that some proxies, such as Azure Application Gateway, add to the addresses of clients. With them, each connection would
 * be another client for all limits by network, and no proxy of a list would be recognised.
 */
export function removeForwardedPorts({ headers }: IncomingMessage): void {
  const given = headers[HEADER];
  if (typeof given !== 'string' || !given.includes(':')) return;
  headers[HEADER] = given
    .split(',')
    .map((address) => address.trim().replace(WITH_PORT, '$1$2'))
    .join(', ');
}

export const readForwardedAddress: onRequestHookHandler = ({ raw }, _reply, done) => {
  removeForwardedPorts(raw);
  done();
};
