/** Follows the events of a server by its API, for commands that run outside of the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { CommandError } from './errors.ts';
import { ConnectionError, reasonOfFetch, send } from './remote.ts';

/** The URL of a server, and the credentials for it. */
export interface RemoteServer {
  /** The URL, without a trailing slash. */
  readonly url: string;
  /** Returns the Authorization header of the next request. It throws the same errors as a request. */
  readonly authorization: () => Promise<string>;
}

export interface FollowedEvent {
  /** The position of the event in the log. */
  readonly cursor: string;
  readonly type: string;
  readonly id: number;
  /** When the event was recorded, as text. */
  readonly createdAt: string;
  /** The item of the feed, as JSON. */
  readonly item: string;
}

export interface FollowOptions {
  /** Event types; empty for all. */
  readonly types: readonly string[];
  /** Where to resume; undefined to start with new events. */
  readonly cursor: string | undefined;
  /** Called when a connection is lost, with the reason. */
  readonly onLost: (reason: string) => void;
}

/** Milliseconds before the next attempt. */
const PAUSE = 1000;

/**
 * Follows the log from a cursor, and reconnects when the server restarts. The pace of the reader is that of the stream: events
 * that it has not consumed stay on the server.
 *
 * @throws CommandError if the server refuses the request, for example because the key is invalid.
 */
export async function* followEvents(
  server: RemoteServer,
  { types, cursor: from, onLost }: FollowOptions,
): AsyncGenerator<FollowedEvent> {
  let cursor = from;
  for (;;) {
    try {
      cursor ??= await newestCursor(server);
      for await (const event of eventsOfOneStream(server, types, cursor)) {
        yield event;
        ({ cursor } = event);
      }
      onLost('The server has ended the stream.');
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      onLost(error.message);
    }
    await sleep(PAUSE);
  }
}

async function* eventsOfOneStream(
  server: RemoteServer,
  types: readonly string[],
  cursor: string | undefined,
): AsyncGenerator<FollowedEvent> {
  const query = new URLSearchParams(types.map((type): [string, string] => ['type', type]));
  if (cursor !== undefined) query.set('cursor', cursor);
  const { body } = await ask(server, `/feed?${query}`, { headers: { accept: 'text/event-stream' } });
  const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  if (!events) return;
  try {
    for await (const { data, event, id } of events) {
      // Events of the log have no name.
      if (event === undefined && id !== undefined) yield readEvent(id, data);
    }
  } catch (error) {
    // Errors of the stream only: what the consumer of this generator throws is not caught here.
    throw new ConnectionError(reasonOfFetch(error));
  }
}

function readEvent(cursor: string, item: string): FollowedEvent {
  // The format of the feed.
  const {
    id,
    type,
    created_at: createdAt,
  } = JSON.parse(item) as {
    readonly id: number;
    readonly type: string;
    readonly created_at: string;
  };
  return { cursor, id, type, createdAt, item };
}

/** Returns the cursor of the newest event, after which nothing is missed; undefined for an empty log. */
async function newestCursor(server: RemoteServer): Promise<string | undefined> {
  const response = await ask(server, '/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ feed(first: 1) { nodes { cursor } } }' }),
  });
  // The shape of the response to this query.
  const { data, errors } = (await response.json()) as {
    readonly data?: { readonly feed: { readonly nodes: readonly { readonly cursor: string }[] } } | null;
    readonly errors?: readonly { readonly message: string }[];
  };
  if (errors?.[0]) throw new CommandError(errors[0].message);
  return data?.feed.nodes[0]?.cursor;
}

/** Sends a request. @throws CommandError for a refusal, ConnectionError for a failure that may be temporary. */
async function ask({ url, authorization }: RemoteServer, path: string, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, authorization: await authorization() };
  const response = await send(url + path, { ...init, headers });
  if (response.ok) return response;
  throw new CommandError(`${url} refused the request: ${await refusalIn(response)}`);
}

async function refusalIn(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  // Errors of both doors have a member "message".
  const [, message] = /"message":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return message === undefined ? `status ${response.status}` : String(JSON.parse(message));
}
