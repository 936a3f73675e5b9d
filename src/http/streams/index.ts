/** The doors with long-lived connections: WebSockets, and responses that are streams of events. */
import type { Server } from 'node:http';
import type { HttpParts, RequestHandler } from '../parts.ts';
import { Backlogs } from './backlog.ts';
import { createGraphQLEvents } from './distinct-connections-mode.ts';
import { EventStreams } from './event-stream.ts';
import { createRestEvents } from './rest-events.ts';
import { SharedStreams } from './single-connection-mode.ts';
import { Sockets } from './sockets.ts';

/** Opens these doors on a server. */
export function openStreamDoors(server: Server, parts: HttpParts) {
  const { streams } = parts.operationRunner;
  const backlogs = new Backlogs();
  const eventStreams = new EventStreams(
    (session) => streams.watch(session),
    parts.services.metrics,
    backlogs,
  );
  const sockets = new Sockets(server, backlogs, parts);
  const shared = new SharedStreams(eventStreams, backlogs, parts);
  const events = new Map(
    parts.api.streamRoutes.map((route) => [route.path, createRestEvents(route, eventStreams, parts)]),
  );
  return {
    respondToGraphQL: createGraphQLEvents(eventStreams, parts),
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
