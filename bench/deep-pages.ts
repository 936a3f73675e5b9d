/** A page far into a list beside its first one. */
import { ask } from './client.ts';
import { spreadOf } from './table.ts';

/** Requests of each page before any counts. */
const WARM_UP = 50;

export interface DeepPage {
  readonly origin: string;
  readonly token: string;
  /** Of the list, with its filters and its limit. */
  readonly path: string;
  /** Number of the page that is compared with the first, from 2. */
  readonly page: number;
  /** How often each is asked for, by turns. */
  readonly rounds: number;
}

/** Milliseconds of a request: medians. */
export interface PageTimes {
  readonly first: number;
  readonly later: number;
}

/** @throws Error for a list that is shorter, or is refused. */
export async function comparePages({ origin, token, path, page, rounds }: DeepPage): Promise<PageTimes> {
  const get = async (cursor: string) => {
    const begun = performance.now();
    const { status, body } = await ask(origin, token, { method: 'GET', path: path + cursor });
    const milliseconds = performance.now() - begun;
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body}`);
    return { milliseconds, body };
  };
  let cursor = '';
  for (let number = 1; number < page; number += 1)
    cursor = `&cursor=${nextCursorIn((await get(cursor)).body)}`;
  const times: Record<keyof PageTimes, number[]> = { first: [], later: [] };
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const first = await get('');
    const later = await get(cursor);
    if (round < 0) continue;
    times.first.push(first.milliseconds);
    times.later.push(later.milliseconds);
  }
  return { first: spreadOf(times.first).median, later: spreadOf(times.later).median };
}

function nextCursorIn(body: string): string {
  const page: unknown = JSON.parse(body);
  if (typeof page === 'object' && page !== null && 'next_cursor' in page && page.next_cursor) {
    return encodeURIComponent(String(page.next_cursor));
  }
  throw new Error(`A page in the middle of a list names no next one: ${body}`);
}
