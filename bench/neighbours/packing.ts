/** Finds, by the server's own prices, the most of an expensive field that one operation may have. */

import { loadConfig } from '../../src/config.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { headersOf } from '../client.ts';
import type { Expensive } from './operations.ts';

/** An operation that the server admits. */
export interface Packed {
  readonly name: string;
  readonly query: string;
  /** What the server asks for it. */
  readonly points: number;
  /** Milliseconds to its response when nothing else is asked for; undefined when it took longer than {@link PATIENCE}. */
  readonly alone: number | undefined;
  /** Of that response. */
  readonly status: number | undefined;
}

/** Milliseconds that are waited for one operation. */
const PATIENCE = 8000;

/** Operations that are tried, each a little smaller: the parts of a price need not add up where something is counted once. */
const ATTEMPTS = 5;

/** Milliseconds in which the server must be done with an operation that was given up. */
const RECOVERY = 60_000;

interface Priced {
  readonly status: number;
  readonly points: number | undefined;
  readonly body: string;
}

/**
 * The price of an operation is a sum: something for itself, something for each use of its field, and something for each row of
 * their pages. Three small operations tell these, and from them follow the page size and the number of uses that come to the limit.
 *
 * @throws Error when the server admits no such operation, or names no price.
 */
export async function pack(url: string, token: string, kind: Expensive): Promise<Packed> {
  const price = async (uses: number, size: number) => {
    const { points, body } = await ask(url, token, documentOf(kind, uses, size));
    if (points === undefined) throw new Error(`"${kind.name}" has no price. The response was ${body}`);
    return points;
  };
  const least = await price(1, 1);
  const row = (await price(1, 2)) - least;
  const use = (await price(2, 1)) - least;
  const itself = least - use;
  const available = loadConfig({}).operations.cost - itself;
  let uses = Math.min(kind.uses, Math.floor(available / use));
  let size = row === 0 ? 1 : Math.min(LIMITS.pageMax, 1 + Math.floor((available / uses - use) / row));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const query = documentOf(kind, uses, size);
    const begun = performance.now();
    const outcome = await ask(url, token, query).catch(ignoreTimeout);
    const alone = performance.now() - begun;
    const points = outcome?.points ?? itself + uses * (use + row * (size - 1));
    if (!outcome) {
      await waitUntilIdle(url);
      return { name: kind.name, query, points, alone: undefined, status: undefined };
    }
    const { status, body } = outcome;
    if (!body.includes('"cost_exceeded"')) return { name: kind.name, query, points, alone, status };
    if (size > 1) size -= 1;
    else uses -= 1;
  }
  throw new Error(`The server does not admit "${kind.name}" at the price that follows from its parts.`);
}

/** A server that blocks on an operation which no client waits for any more answers to nothing else. */
async function waitUntilIdle(url: string): Promise<void> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(RECOVERY) });
  await response.body?.cancel();
}

function documentOf({ field }: Expensive, uses: number, size: number): string {
  return `{ ${Array.from({ length: uses }, (_, use) => `a${use}: ${field(size, use)}`).join(' ')} }`;
}

async function ask(url: string, token: string, query: string): Promise<Priced> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(PATIENCE),
  });
  const body = await response.text();
  const points = /"requestedQueryCost":(\d+)/.exec(body)?.[1];
  return { status: response.status, points: points === undefined ? undefined : Number(points), body };
}

function ignoreTimeout(error: unknown): undefined {
  if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
}
