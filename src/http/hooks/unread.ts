/** Limits the memory for responses that clients do not read. */
import type { ServerResponse } from 'node:http';
import type { onSendHookHandler } from 'fastify';
import { LIMITS } from '../../core/limits.ts';
import { flowOf } from '../../pipeline/context.ts';
import { lengthOf } from './compression.ts';

/** What is read of a response, and its end. */
export interface UnreadResponse extends Pick<ServerResponse, 'headersSent' | 'writableLength'> {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

interface Unread {
  readonly response: UnreadResponse;
  readonly caller: string;
  /** Its bytes before it is sent. */
  readonly length: number;
}

const bytesOf = ({ response, length }: Unread): number =>
  response.headersSent ? response.writableLength : length;

/**
 * The large responses that are not sent completely. When they have more bytes than permitted, the connections of the caller with the most
 * are closed, those with the oldest responses first: its client reads slowly or not at all, and others keep theirs.
 */
export class UnreadResponses {
  /** Oldest first. */
  readonly #all = new Set<Unread>();
  readonly #limit: number;

  constructor(limit: number = LIMITS.unreadResponseBytes) {
    this.#limit = limit;
  }

  /** Adds a response of this many bytes, which is about to be sent. */
  add(response: UnreadResponse, caller: string, length: number): void {
    const unread: Unread = { response, caller, length };
    this.#all.add(unread);
    response.once('close', () => this.#all.delete(unread));
    while (this.#makeRoom());
  }

  /** Closes one connection if there are too many bytes. Returns false if there are not, or if no connection can be closed. */
  #makeRoom(): boolean {
    let total = 0;
    const callers = new Map<string, number>();
    for (const unread of this.#all) {
      const bytes = bytesOf(unread);
      total += bytes;
      callers.set(unread.caller, (callers.get(unread.caller) ?? 0) + bytes);
    }
    if (total <= this.#limit) return false;
    // Those that are not sent yet may be read at once.
    const sent = [...this.#all].filter(({ response }) => response.headersSent);
    const most = Math.max(...sent.map(({ caller }) => callers.get(caller) ?? 0));
    const oldest = sent.find(({ caller }) => callers.get(caller) === most);
    if (!oldest) return false;
    this.#all.delete(oldest);
    oldest.response.destroy();
    return true;
  }
}

/** Returns the hook that counts the responses of all routes. Streams and exports write no faster than their clients read. */
export function limitUnread(unread: UnreadResponses): onSendHookHandler<unknown> {
  return (request, reply, payload, done) => {
    const length = lengthOf(reply, payload);
    if (length >= LIMITS.unreadFrom) {
      const { org, caller } = flowOf({ principal: request.principal, address: request.ip });
      unread.add(reply.raw, `${org} ${caller}`, length);
    }
    done(null, payload);
  };
}
