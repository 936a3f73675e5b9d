/** The doors with long-lived connections: WebSockets, and responses that are streams of events. */
import type { Server } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../../config.ts';
import type { Deadlines } from '../../core/deadline.ts';
import { flowOf } from '../../pipeline/context.ts';
import { RequestCost } from '../../pipeline/request-cost.ts';
import type { StreamRoute } from '../../rest/handle/stream-route.ts';
import type { OperationRunner } from '../../subscriptions/operation-runner.ts';
import type { TrustProxy } from '../fastify.ts';
import { type Authenticate, evidenceOf, type Identify } from '../hooks/authentication.ts';
import type { OpenContext } from '../hooks/request-context.ts';
import type { MustReconnect } from '../hooks/response.ts';
import type { RequestHandler } from '../routes/graphql/index.ts';
import type { ReadForwarded } from '../tls/forwarded.ts';
import { Backlogs } from './backlog.ts';
import { createGraphQLEvents } from './distinct-connections-mode.ts';
import { EventStreams } from './event-stream.ts';
import { Protocol } from './protocol.ts';
import { createRestEvents } from './rest-events.ts';
import { SharedStreams } from './single-connection-mode.ts';
import { Sockets } from './sockets.ts';

export interface StreamDoorsOptions {
  readonly config: Pick<Config, 'http' | 'connections'>;
  readonly operationRunner: OperationRunner;
  readonly streamRoutes: readonly StreamRoute[];
  readonly identify: Identify;
  readonly authenticate: Authenticate;
  readonly openContext: OpenContext;
  /** Deadlines of operations on WebSockets. */
  readonly deadlines: Deadlines;
  readonly trust: TrustProxy;
  /** Reads the client certificate that a proxy forwards; undefined if no proxy does. */
  readonly readForwarded: ReadForwarded | undefined;
  readonly isDraining: () => boolean;
  readonly mustReconnect: MustReconnect;
  readonly onSocketFailure: (error: unknown) => void;
}

/** Opens these doors on a server. */
export function openStreamDoors(server: Server, options: StreamDoorsOptions) {
  const { config, operationRunner, streamRoutes, identify, authenticate } = options;
  const { openContext, deadlines, trust, readForwarded, isDraining, mustReconnect, onSocketFailure } =
    options;
  const { services, streams } = operationRunner;
  const backlogs = new Backlogs();
  const eventStreams = new EventStreams((session) => streams.watch(session), services.metrics, backlogs);
  const sockets = new Sockets(server, {
    ...config.http,
    ...config.connections,
    path: '/graphql',
    protocol: new Protocol({ ...config.connections, operationRunner, identify, deadlines }),
    streams,
    requestCostOf: ({ session, address }) =>
      new RequestCost(
        services.budget,
        flowOf({ principal: session?.principal ?? null, address }),
        services.clock(),
      ),
    visitorOf: (request) => {
      readForwarded?.(request);
      return {
        authorization: request.headers.authorization,
        evidence: evidenceOf(request, config.http.publicUrl),
        address: proxyAddr(request, trust),
      };
    },
    isDraining,
    mustReconnect,
    backlogs,
    onFailure: onSocketFailure,
  });
  const shared = new SharedStreams({
    ...config.connections,
    sharesPort: config.http.sharesPort,
    operationRunner,
    eventStreams,
    backlogs,
    authenticate,
    deadlines,
    isDraining,
  });
  const events = new Map(
    streamRoutes.map((route) => [
      route.path,
      createRestEvents(route, { services, streams, eventStreams, authenticate }),
    ]),
  );
  return {
    respondToGraphQL: createGraphQLEvents(operationRunner, eventStreams, openContext),
    eventsOf: (path: string): RequestHandler | undefined => events.get(path),
    handlerOf: shared.handlerOf,
    /** Asks every client to reconnect, to another instance or shortly after. */
    drain(): void {
      streams.drain();
      shared.drain();
      sockets.drain();
    },
    /** Ends all streams and all sockets. */
    async close(): Promise<void> {
      eventStreams.close();
      shared.drain();
      await streams.close();
      await sockets.close();
    },
  };
}
