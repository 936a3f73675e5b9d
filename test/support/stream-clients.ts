/** Clients that follow the log with the usual libraries. Each reconnects automatically with the last cursor that it has received. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import { createClient as createSseClient, type Client as SseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import WebSocket from 'ws';
import { waitUntil } from './process.ts';

interface Received {
  readonly id: number;
  readonly type: string;
}

/** A client that follows all events that it may see. */
export interface Following {
  readonly name: string;
  /** The received events, in order. */
  readonly received: readonly Received[];
  /** The number of connections so far. */
  readonly connections: number;
  /** Breaks the connection, as a network failure does. */
  cut(): void;
  stop(): void;
}

interface FollowOptions {
  /** Returns the URL of the server, for each connection. */
  readonly url: () => string;
  readonly token: string;
  /** The cursor after which to start. */
  readonly after?: string;
}

type Follow = (options: FollowOptions) => Following;

const DOCUMENT = 'subscription Follow($after: String) { activity(after: $after) { id type cursor } }';

interface Activity {
  readonly id: string;
  readonly type: string;
  readonly cursor: string;
}

const ATTEMPTS = 1000;
const PAUSE = 100;

interface Result {
  readonly activity: Activity;
}

/** The subscription of a GraphQL client, and the sink that collects its results. */
function collectActivity(after: string | undefined) {
  const received: Received[] = [];
  // Clients send the same object again when they reconnect, with the updated cursor.
  const variables: { after: string | undefined } = { after };
  const sink = {
    next: ({ data }: { readonly data?: Result | null }) => {
      if (!data) return;
      variables.after = data.activity.cursor;
      received.push({ id: Number(data.activity.id), type: data.activity.type });
    },
    error: () => undefined,
    complete: () => undefined,
  };
  return { received, request: { query: DOCUMENT, variables }, sink };
}

const followByWebSocket: Follow = ({ url, token, after }) => {
  const { received, request, sink } = collectActivity(after);
  const sockets = new Set<WebSocket>();
  let connections = 0;
  class Cuttable extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args);
      sockets.add(this);
      this.once('close', () => sockets.delete(this));
    }
  }
  const client = createWsClient({
    url: () => `${url().replace('http', 'ws')}/graphql`,
    connectionParams: { accessToken: token },
    webSocketImpl: Cuttable,
    lazy: true,
    retryAttempts: ATTEMPTS,
    retryWait: () => sleep(PAUSE),
    shouldRetry: () => true,
    on: {
      connected: () => {
        connections += 1;
      },
    },
  });
  const stop = client.subscribe<Result>(request, sink);
  return {
    name: 'graphql-ws',
    received,
    get connections() {
      return connections;
    },
    cut: () => {
      for (const socket of sockets) socket.terminate();
    },
    stop,
  };
};

/** A fetch function whose responses can be aborted. */
function cuttableFetch(token: string) {
  const open = new Set<AbortController>();
  let connections = 0;
  const fetchFn = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const controller = new AbortController();
    const given = init.signal;
    given?.addEventListener('abort', () => controller.abort());
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(input, { ...init, headers, signal: controller.signal });
    open.add(controller);
    connections += 1;
    return response;
  };
  return {
    fetchFn,
    connections: () => connections,
    cut: () => {
      for (const controller of open) controller.abort(new Error('cut'));
      open.clear();
    },
  };
}

/** @param singleConnection whether all operations of the client share one stream. */
const sseFollower =
  (name: string, singleConnection: boolean): Follow =>
  ({ url, token, after }) => {
    const { received, request, sink } = collectActivity(after);
    const { fetchFn, connections, cut } = cuttableFetch(token);
    let isStopped = false;
    let client: SseClient<true> | undefined;
    // graphql-sse stops for good if a connection breaks before it waits for results, or between two results.
    const begin = () => {
      if (isStopped) return;
      const own = createSseClient({
        url: () => `${url()}/graphql`,
        // Its types require a literal.
        singleConnection: singleConnection as true,
        // Its types require the browser's fetch.
        fetchFn: fetchFn as never,
        retryAttempts: ATTEMPTS,
        retry: () => sleep(PAUSE),
      });
      const error = () => {
        own.dispose();
        void sleep(PAUSE).then(begin);
      };
      own.subscribe<Result>(request, { ...sink, error });
      client = own;
    };
    begin();
    return {
      name,
      received,
      get connections() {
        return connections();
      },
      cut,
      stop: () => {
        isStopped = true;
        client?.dispose();
      },
    };
  };

/** EventSource reconnects to the same URL, and stops after a 503 response, as of a server without its database: then a new one starts. */
const followByEventSource: Follow = ({ url, token, after }) => {
  const received: Received[] = [];
  const { fetchFn, connections, cut } = cuttableFetch(token);
  let cursor = after;
  let source: EventSource | undefined;
  let isStopped = false;
  const begin = () => {
    if (isStopped) return;
    const place = `${url()}/feed${cursor === undefined ? '' : `?cursor=${cursor}`}`;
    const own = new EventSource(place, { fetch: fetchFn as never });
    own.onmessage = ({ data, lastEventId }) => {
      const { id, type } = JSON.parse(data) as Received;
      received.push({ id, type });
      cursor = lastEventId;
    };
    own.onerror = () => {
      if (own.readyState === own.CLOSED) void sleep(PAUSE).then(begin);
    };
    source = own;
  };
  begin();
  return {
    name: 'eventsource',
    received,
    get connections() {
      return connections();
    },
    cut,
    stop: () => {
      isStopped = true;
      source?.close();
    },
  };
};

/** The clients by the name of their package. */
const CLIENTS: Readonly<Record<string, Follow>> = {
  'graphql-ws': followByWebSocket,
  'graphql-sse': sseFollower('graphql-sse', false),
  'graphql-sse on one connection': sseFollower('graphql-sse on one connection', true),
  eventsource: followByEventSource,
};

/** Starts one of each client, and waits until all are connected. */
export async function followWithAll(options: FollowOptions): Promise<Following[]> {
  const followers = Object.values(CLIENTS).map((follow) => follow(options));
  await waitUntil(() => followers.every(({ connections }) => connections > 0), 'the clients to connect');
  return followers;
}
