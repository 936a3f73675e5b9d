/** Finds the largest operation with an expensive field that the server admits, from the server's own prices. */

import { loadConfig } from '../../src/config.ts';
import { headersOf } from '../client.ts';
import type { Expensive } from './operations.ts';

/** An operation that the server admits. */
export interface Packed {
  readonly name: string;
  readonly query: string;
  /** Its price. */
  readonly points: number;
  /** Milliseconds to the response without other load; undefined if it took longer than {@link TIMEOUT}. */
  readonly alone: number | undefined;
  /** The status of that response. */
  readonly status: number | undefined;
}

/** The maximum milliseconds to wait for one operation. */
const TIMEOUT = 8000;

/** The maximum number of attempts, each with a smaller operation: the price is not the sum of its parts if a part is counted once. */
const ATTEMPTS = 5;

/** Milliseconds within which the server must have ended an operation whose client gave up. */
const RECOVERY = 60_000;

interface Priced {
  readonly status: number;
  readonly points: number | undefined;
  readonly body: string;
}

/**
 * The price of an operation is the sum of a base price, a price per use of the field, and a price per row of the pages. The prices of
 * three small operations determine these, and therefore the page size and the number of uses that reach the limit.
 *
 * @throws Error if the server admits no such operation or reports no price.
 */
export async function pack(url: string, token: string, kind: Expensive, cost: number): Promise<Packed> {
  const price = async (uses: number, size: number) => {
    const { points, body } = await execute(url, token, documentOf(kind, uses, size));
    if (points === undefined) throw new Error(`"${kind.name}" has no price. The response was ${body}`);
    return points;
  };
  const least = await price(1, 1);
  const row = (await price(1, 2)) - least;
  const use = (await price(2, 1)) - least;
  const base = least - use;
  const { pageMax } = loadConfig({}).operations;
  const available = cost - base;
  let uses = Math.min(kind.uses, Math.floor(available / use));
  let size = row === 0 ? 1 : Math.min(pageMax, 1 + Math.floor((available / uses - use) / row));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const query = documentOf(kind, uses, size);
    const begun = performance.now();
    const outcome = await execute(url, token, query).catch(ignoreTimeout);
    const alone = performance.now() - begun;
    const points = outcome?.points ?? base + uses * (use + row * (size - 1));
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

/** Waits for a response: a server that is blocked by an abandoned operation responds to no request. */
async function waitUntilIdle(url: string): Promise<void> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(RECOVERY) });
  await response.body?.cancel();
}

function documentOf({ field }: Expensive, uses: number, size: number): string {
  return `{ ${Array.from({ length: uses }, (_, use) => `a${use}: ${field(size, use)}`).join(' ')} }`;
}

async function execute(url: string, token: string, query: string): Promise<Priced> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const body = await response.text();
  const points = /"requestedQueryCost":(\d+)/.exec(body)?.[1];
  return { status: response.status, points: points === undefined ? undefined : Number(points), body };
}

function ignoreTimeout(error: unknown): undefined {
  if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
}
