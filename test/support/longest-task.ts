/** How long a page keeps its main thread, in time of the processor: what other processes take of it is not in that, as it is in the Long Tasks API. */
import type { Page } from 'playwright-core';

/** As much of an event of a trace as is looked at. Durations are microseconds; `tdur` is that of the thread. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const MAIN_THREAD = 'CrRendererMain';
const TASK = 'ThreadControllerImpl::RunTask';

/** The milliseconds of the longest task of the page while something happens. */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser of its own.');
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
