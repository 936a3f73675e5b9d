/** Compares a page deep in a list with its first page. */
import { sendRequest } from './client.ts';
import { spreadOf } from './table.ts';

/** Requests for each page before the measurement. */
const WARM_UP = 50;

export interface DeepPage {
  readonly origin: string;
  readonly token: string;
  /** The path of the list, with its filters and limit. */
  readonly path: string;
  /** The number of the page that is compared with the first, from 2. */
  readonly page: number;
  /** How many times each page is requested, in turns. */
  readonly rounds: number;
}

/** The median duration of a request for each page, in milliseconds. */
export interface PageTimes {
  readonly first: number;
  readonly later: number;
}

/** @throws Error if the list has too few pages or a request fails. */
export async function comparePages({ origin, token, path, page, rounds }: DeepPage): Promise<PageTimes> {
  const get = async (cursor: string) => {
    const begun = performance.now();
    const { status, body } = await sendRequest(origin, token, { method: 'GET', path: path + cursor });
    const milliseconds = performance.now() - begun;
    if (status !== 200) throw new Error(`The response to ${path} has status ${status}: ${body}`);
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
  throw new Error(`A page before the last one has no next_cursor: ${body}`);
}
