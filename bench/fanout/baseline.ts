/**
 * The same schema, resolvers and event log with an unmodified graphql-ws: its own server over ws, where graphql-js executes the
 * operation for each event and subscriber. It does less than Portico otherwise: it does not check the rights of subscribers
 * again, reads the log once for all, and seals a cursor once for all.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { useServer as serveProtocol } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { Loaders } from '../../resolvers/shared/loaders.ts';
import { loadKeys } from '../../src/auth/keys.ts';
import { Tokens } from '../../src/auth/tokens.ts';
import { createWakes } from '../../src/cluster/wakes.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createCursors } from '../../src/core/cursors.ts';
import { BoundDatabase } from '../../src/db/bound.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import type { EventRow } from '../../src/db/rows.ts';
import { logPosition } from '../../src/events/log-position.ts';
import { Selection } from '../../src/events/selection.ts';
import { Tail } from '../../src/events/tail.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createMetrics } from '../../src/observability/prometheus.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { PUBLIC_URL } from '../servers.ts';

const ORG = 'acme';

type SealedEvent = EventRow & { readonly cursor: string };

/** Starts the baseline on a port that the system chooses. */
export async function listenBaseline(database: OpenDatabase, keyFile: string): Promise<Server> {
  const keys = await loadKeys({ file: keyFile, createWhenMissing: false, clock: systemClock });
  const cursors = createCursors(() => keys.secrets('cursors'));
  const tokens = new Tokens({ keys, issuer: PUBLIC_URL, audience: PUBLIC_URL, clock: systemClock });
  const metrics = createMetrics();
  const queues = new Set<Queue>();
  await followLog(database, (event) => {
    const sealed = { ...event, cursor: logPosition.seal(cursors, ORG, event) };
    for (const queue of queues) queue.push(sealed);
  });
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, path: '/graphql' });
  serveProtocol(
    {
      schema: withQueues(buildSchema(), queues),
      context: async ({ connectionParams }) => {
        const principal = await tokens.verify(String(connectionParams?.['accessToken']));
        const known: Partial<Context> = {
          database: new BoundDatabase(database, undefined),
          cursors,
          metrics,
          clock: systemClock,
          principal,
          address: '127.0.0.1',
          loaders: new Loaders(database, principal),
        };
        // The measured operation uses no other member.
        return known as Context;
      },
    },
    sockets,
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return http;
}

async function followLog(database: OpenDatabase, onEvent: (event: EventRow) => void): Promise<void> {
  const tail = await Tail.open({
    database,
    org: ORG,
    deliver: async (events, enter) => {
      for (const event of events) {
        enter(event);
        onEvent(event);
      }
    },
    onLost: async () => undefined,
    onFailure: (error) => {
      throw error;
    },
  });
  createWakes({ database }).onWake(() => tail.wake());
}

/** Replaces the log selections that the subscription returns with sources that graphql-js can iterate. */
function withQueues(schema: GraphQLSchema, queues: Set<Queue>): GraphQLSchema {
  const field = schema.getSubscriptionType()?.getFields()['activity'];
  const select = field?.subscribe;
  if (!field || !select) throw new Error('The schema has no subscription `activity`.');
  field.subscribe = async (root, args, context, info) => {
    const selection: unknown = await select(root, args, context, info);
    if (!(selection instanceof Selection))
      throw new Error('The subscription `activity` returned no log selection.');
    return new Queue(selection, queues);
  };
  return schema;
}

/** The queue of events for one subscriber. */
class Queue implements AsyncIterableIterator<SealedEvent> {
  readonly #selection: Selection;
  readonly #queues: Set<Queue>;
  readonly #waiting: SealedEvent[] = [];
  #resolveNext: ((result: IteratorResult<SealedEvent, undefined>) => void) | undefined;

  constructor(selection: Selection, queues: Set<Queue>) {
    this.#selection = selection;
    this.#queues = queues;
    queues.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(event: SealedEvent): void {
    if (!this.#selection.matches(event)) return;
    if (!this.#resolveNext) this.#waiting.push(event);
    else {
      this.#resolveNext({ done: false, value: event });
      this.#resolveNext = undefined;
    }
  }

  async next(): Promise<IteratorResult<SealedEvent, undefined>> {
    const value = this.#waiting.shift();
    if (value) return { done: false, value };
    return new Promise((resolve) => {
      this.#resolveNext = resolve;
    });
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#queues.delete(this);
    this.#resolveNext?.({ done: true, value: undefined });
    return { done: true, value: undefined };
  }
}
