/** Follows the events of a server by its API, for commands that run outside of the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ConnectionError, reasonOfFetch, send } from './remote.ts';
import { CommandError } from './terminal.ts';

/** The URL of a server, and the credentials for it. */
interface RemoteServer {
  /** The URL, without a trailing slash. */
  readonly url: string;
  /** Returns the Authorization header of the next request. It throws the same errors as a request. */
  readonly authorization: () => Promise<string>;
}

/** A position in the log that was reached, with the event there. */
export interface Followed {
  readonly cursor: string;
  /** Undefined for the position at which a new follower starts, and for the one at which the server ended a stream. */
  readonly event: FollowedEvent | undefined;
}

export interface FollowedEvent {
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
): AsyncGenerator<Followed> {
  let cursor = from;
  for (;;) {
    try {
      if (cursor === undefined) {
        cursor = await endOfLog(server);
        yield { cursor, event: undefined };
      }
      for await (const followed of followOneStream(server, types, cursor)) {
        yield followed;
        ({ cursor } = followed);
      }
      onLost('The server has ended the stream.');
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      onLost(error.message);
    }
    await sleep(PAUSE);
  }
}

async function* followOneStream(
  server: RemoteServer,
  types: readonly string[],
  cursor: string,
): AsyncGenerator<Followed> {
  const query = new URLSearchParams(types.map((type): [string, string] => ['type', type]));
  query.set('cursor', cursor);
  const { body } = await ask(server, `/feed?${query}`, { headers: { accept: 'text/event-stream' } });
  const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  if (!events) return;
  try {
    for await (const { data, event, id } of events) {
      if (id === undefined) continue;
      // Events of the log have no name. The event `end` has the position, which may be after that of the last event of these types.
      yield { cursor: id, event: event === undefined ? readEvent(data) : undefined };
    }
  } catch (error) {
    // Errors of the stream only: what the consumer of this generator throws is not caught here.
    throw new ConnectionError(reasonOfFetch(error));
  }
}

function readEvent(item: string): FollowedEvent {
  // The format of the feed.
  const event = JSON.parse(item) as {
    readonly id: number;
    readonly type: string;
    readonly created_at: string;
  };
  return { id: event.id, type: event.type, createdAt: event.created_at, item };
}

/** Returns the cursor of the end of the log, after which nothing is missed. A log without visible events has one as well. */
async function endOfLog(server: RemoteServer): Promise<string> {
  const response = await ask(server, '/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ feed(first: 1) { streamCursor } }' }),
  });
  // The shape of the response to this query. Only a page after the first one may have no cursor.
  const { data, errors } = (await response.json()) as {
    readonly data?: { readonly feed: { readonly streamCursor: string } } | null;
    readonly errors?: readonly { readonly message: string }[];
  };
  if (!data) throw new CommandError(errors?.[0]?.message ?? `${server.url} returned no position in its log.`);
  return data.feed.streamCursor;
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
