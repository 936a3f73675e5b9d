import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { LIMITS } from '../core/limits.ts';
import { addressOf } from '../core/public-url.ts';
import { CommandError, type Terminal } from './terminal.ts';

export function declareHealthcheck(command: Command, terminal: Terminal): void {
  command
    .addHelpText(
      'after',
      '\nThe exit code is 0 if it can, otherwise 1. The image uses it as its health check.',
    )
    .action(async () => {
      const { http } = loadConfig(terminal.environment);
      if (http.port === 0) throw new CommandError('PORT is 0: the port of the server is unknown.');
      const status = await statusOf(http).catch((cause: unknown) => {
        throw new CommandError(`No server responds on ${addressOf(http)} (HOST and PORT)`, { cause });
      });
      if (status !== 200)
        throw new CommandError(`The server cannot serve requests: /readyz returns ${status}.`);
      terminal.out('The server can serve requests.\n');
    });
}

/** The addresses that reach a server which listens on all addresses of the machine. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Requests `/readyz` from the server itself. Its path has no prefix: a proxy removes that of the public URL.
 *
 * @returns the status of the response.
 * @throws the system's error, or an AbortError without a response in time.
 */
async function statusOf({ host, port, tls }: Config['http']): Promise<number | undefined> {
  const request = (tls.cert === undefined ? plainRequest : tlsRequest)({
    host: LOOPBACK[host] ?? host,
    port,
    path: '/readyz',
    signal: AbortSignal.timeout(LIMITS.connectTimeout),
    agent: false,
    // The certificate is for the name that clients use, not for this address.
    rejectUnauthorized: false,
  });
  // The type of an event of the request.
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode;
}
