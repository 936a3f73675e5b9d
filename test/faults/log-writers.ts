/**
 * Writers that keep the log growing whatever happens to the servers, and comparisons of the log with what its
 * readers received.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Following } from '../support/stream-clients.ts';
import { Connection, type Queried } from './client.ts';

/** Milliseconds after which a writer retries if its server is gone. */
const PAUSE = 20;

export interface Writers {
  /** Acknowledged events so far. There may be more, since a killed server does not respond. */
  readonly written: number;
  /** Resolves after this many more events. */
  more(events: number): Promise<void>;
  /** Resolves when the writers have written `events` in all, and stopped. */
  finish(events: number): Promise<void>;
}

/** Opens this many connections, distributed over the servers, each of which places one order after another. */
export function startWriters(urls: readonly string[], token: string, count: number): Writers {
  let written = 0;
  let isOver = false;
  const write = async (url: string) => {
    const connection = new Connection(url, token);
    while (!isOver) {
      const response = await connection.placeOrder().catch(() => undefined);
      if (response?.status === 201) written += 1;
      else await sleep(PAUSE);
    }
    connection.close();
  };
  const writing = Array.from({ length: count }, (_, n) => write(urls[n % urls.length] ?? ''));
  const reach = async (events: number) => {
    while (written < events) await sleep(PAUSE);
  };
  return {
    get written() {
      return written;
    },
    more: (events) => reach(written + events),
    async finish(events) {
      await reach(events);
      isOver = true;
      await Promise.all(writing);
    },
  };
}

/** The current end of the demo organisation's log. */
export async function logEnd(url: string, token: string): Promise<{ id: number; cursor: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ feed(first: 1) { nodes { id cursor } } }' }),
  });
  const { data } = (await response.json()) as {
    data: { feed: { nodes: [{ id: string; cursor: string }] } };
  };
  const [{ id, cursor }] = data.feed.nodes;
  return { id: Number(id), cursor };
}

/** Ids of the organisation's events after this one, as stored. */
export async function eventIds({ query }: Queried, afterId: number): Promise<number[]> {
  const rows = await query(`select id from events where org = 'acme' and id > ${afterId} order by id`);
  return rows.map(({ id }) => Number(id));
}

/**
 * Differences between the log and what a client received, as counts, so that they fit on a screen. All are 0
 * if there are none.
 */
export function flawsOf({ received }: Following, written: readonly number[]) {
  const ids = received.map(({ id }) => id);
  const given = new Set(ids);
  const known = new Set(written);
  return {
    missing: written.filter((id) => !given.has(id)).length,
    repeated: ids.length - given.size,
    unknown: [...given].filter((id) => !known.has(id)).length,
    outOfOrder: ids.filter((id, n) => n > 0 && id <= (ids[n - 1] ?? 0)).length,
  };
}

export const FLAWLESS = { missing: 0, repeated: 0, unknown: 0, outOfOrder: 0 };
