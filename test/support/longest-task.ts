/** Measures the longest task on a page's main thread in processor time. Unlike the Long Tasks API, this excludes other processes. */
import type { Page } from 'playwright-core';

/** The used members of a trace event. `tdur` is the processor time of the thread, in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const MAIN_THREAD = 'CrRendererMain';
const TASK = 'ThreadControllerImpl::RunTask';

/** Returns the duration of the longest task of the page during some work, in milliseconds. */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === MAIN_THREAD).map(threadOf),
  );
  const times = traceEvents.flatMap((event) =>
    event.name === TASK && main.has(threadOf(event)) && event.tdur !== undefined ? [event.tdur] : [],
  );
  if (times.length === 0) throw new Error('The trace has no tasks.');
  return Math.max(...times) / 1000;
}
