/** Follows the events of a server by its API, for commands that run outside of the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isRecord } from '../core/json.ts';
import { MIB } from '../core/limits.ts';
import { ConnectionError, reasonOfFetch, send, textOf, untilLate } from './remote.ts';
import { CommandError } from './terminal.ts';

/** The URL of a server, and the credentials for it. */
interface RemoteServer {
  /** The URL, without a trailing slash. */
  readonly url: string;
  /** Returns the Authorization header of the next request. It throws the same errors as a request. */
  readonly authorization: () => Promise<string>;
}

/** A position in the log that was reached, with the event there. */
interface Followed {
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

interface FollowOptions {
  /** Event types; empty for all. */
  readonly types: readonly string[];
  /** Where to resume; undefined to start with new events. */
  readonly cursor: string | undefined;
  /** Called when a connection is lost, with the reason. */
  readonly onLost: (reason: string) => void;
}

/** Minimum milliseconds before the next attempt. */
const PAUSE = 1000;

/** Maximum characters of an event. Those of the log have at most a few thousand. */
const LONGEST_EVENT = MIB;

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
    let pause = PAUSE;
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
      pause = Math.max(PAUSE, error.pause);
    }
    await sleep(pause);
  }
}

async function* followOneStream(
  server: RemoteServer,
  types: readonly string[],
  cursor: string,
): AsyncGenerator<Followed> {
  const query = new URLSearchParams(types.map((type): [string, string] => ['type', type]));
  query.set('cursor', cursor);
  const { body, headers } = await ask(server, `/feed?${query}`, { headers: { accept: 'text/event-stream' } });
  if (!headers.get('content-type')?.startsWith('text/event-stream')) {
    await body?.cancel();
    throw new CommandError(
      `${server.url} sent no stream of events: there may be another server at this URL.`,
    );
  }
  const parser = new EventSourceParserStream({ maxBufferSize: LONGEST_EVENT });
  const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
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

/** @throws Error for anything else than an item of the feed. */
function readEvent(item: string): FollowedEvent {
  const event: unknown = JSON.parse(item);
  const { id, type, created_at: createdAt } = isRecord(event) ? event : {};
  if (typeof id !== 'number' || typeof type !== 'string' || typeof createdAt !== 'string') {
    throw new Error('The server sent something other than an event of the feed.');
  }
  return { id, type, createdAt, item };
}

/**
 * Returns the cursor of the end of the log, after which nothing is missed: that of the stream to which the first page links, also if there are no
 * visible events. It is read by REST, since a server may refuse all GraphQL documents except trusted ones.
 */
async function endOfLog(server: RemoteServer): Promise<string> {
  const page = await ask(server, '/feed?limit=1', { signal: untilLate() });
  await textOf(page);
  const [, stream = ''] = /<([^>]*)>; rel="monitor"/.exec(page.headers.get('link') ?? '') ?? [];
  const cursor = URL.parse(stream, server.url)?.searchParams.get('cursor');
  if (cursor) return cursor;
  throw new CommandError(`${server.url} returned no position in its log.`);
}

/** Sends a request. @throws CommandError for a refusal, ConnectionError for a failure that may be temporary. */
async function ask({ url, authorization }: RemoteServer, path: string, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, authorization: await authorization() };
  const response = await send(url + path, { ...init, headers });
  if (response.ok) return response;
  throw new CommandError(`${url} refused the request: ${await refusalIn(response)}`);
}

async function refusalIn(response: Response): Promise<string> {
  const text = await textOf(response).catch(() => '');
  // Errors of both doors have a member "message".
  const [, message] = /"message":("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")/u.exec(text) ?? [];
  return message === undefined ? `status ${response.status}` : String(JSON.parse(message));
}
