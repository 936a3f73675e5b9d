/** Hooks to read lists in components, page by page. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { recall, remember } from './cache.js';
import { graph } from './graph.js';
import { useRecovery, useRefresh } from './refresh.js';

const EMPTY = { nodes: [], endCursor: null, hasNextPage: true };

/** Maximum number of rows that a refresh reads again. Rows beyond them stay as they were read. */
const MAX_REREAD = 500;

/** Merges rows without duplicate ids, those of `first` before the others. */
function joined(first, second) {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id))];
}

const afterPage = (before, page) => ({ ...page, nodes: joined(before.nodes, page.nodes) });

/**
 * Merges the beginning of a list, read again, into the list as it was shown. Rows that are missing from the beginning were removed;
 * the rows after its last one were not read again, and stay.
 */
function refreshed(before, beginning) {
  if (!beginning.hasNextPage) return beginning;
  const { nodes } = before;
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const last = beginning.nodes.findLast(({ id }) => places.has(id));
  const rest = last ? nodes.slice(places.get(last.id) + 1) : [];
  if (rest.length === 0) return beginning;
  return { ...before, nodes: joined(beginning.nodes, rest) };
}

/** A list as far as it is shown: its `page` of all shown rows, `isRead`, and the `error` of the last read with what `failed`. */
class ShownList {
  #key;
  #readPage;
  #onChange;
  #state;
  /** The read in progress, with the cursor that it reads `after`, and what was requested meanwhile. */
  #loading;
  /** Whether it is no longer shown. What arrives then is dropped: another person may have signed in. */
  #isStopped = false;

  /** @param readPage returns the page after a cursor, null for the first one. */
  constructor(key, readPage, onChange) {
    this.#key = key;
    this.#readPage = readPage;
    this.#onChange = onChange;
    this.#state = { page: recall(key) ?? EMPTY };
  }

  get state() {
    return this.#state;
  }

  /** Reads the shown rows again. */
  again = () => this.#read(null);

  /** Reads the page after the shown rows. */
  further = () => this.#read(this.#state.page.endCursor);

  /** Repeats what failed: reading another page, or the list. */
  retry = () => (this.#state.failed === 'page' ? this.further() : this.again());

  /** Removes a deleted row at once, before the list is read again. */
  drop = (id) => {
    const { page } = this.#state;
    this.#show({ page: { ...page, nodes: page.nodes.filter((row) => row.id !== id) }, isRead: true });
  };

  stop() {
    this.#isStopped = true;
    this.#loading?.abort();
    this.#loading = undefined;
  }

  #show(next) {
    if (this.#isStopped) return;
    if (next.page !== this.#state.page) remember(this.#key, next.page);
    this.#state = next;
    this.#onChange();
  }

  /**
   * One read at a time. A refresh that is requested meanwhile follows, so that frequent events do not abort it each time, and so does a
   * further page that is requested during a refresh.
   */
  async #read(after) {
    if (this.#isStopped) return;
    const running = this.#loading;
    if (running) {
      if (after === null) running.isOutdated = true;
      else if (running.after === null) running.wantsPage = true;
      return;
    }
    const loading = Object.assign(new AbortController(), { after, isOutdated: false, wantsPage: false });
    this.#loading = loading;
    try {
      this.#show(
        await (after === null ? this.#beginning(loading.signal) : this.#longer(after, loading.signal)),
      );
    } catch (error) {
      if (error.name !== 'AbortError')
        this.#show({ ...this.#state, error, failed: after === null ? 'list' : 'page' });
    }
    if (this.#loading !== loading) return;
    this.#loading = undefined;
    this.#goOn(loading);
  }

  /** Reads as many rows as are shown. */
  async #beginning(signal) {
    const shown = Math.min(MAX_REREAD, this.#state.page.nodes.length);
    let page = await this.#readPage(null, signal);
    while (page.hasNextPage && page.endCursor && page.nodes.length < shown)
      page = afterPage(page, await this.#readPage(page.endCursor, signal));
    const { page: before, failed, error } = this.#state;
    const next = refreshed(before, page);
    // A page that could not be read still cannot be, as far as is known.
    return { page: next, isRead: true, ...(failed === 'page' && next.hasNextPage && { failed, error }) };
  }

  async #longer(after, signal) {
    const further = await this.#readPage(after, signal);
    return { page: afterPage(this.#state.page, further), isRead: true };
  }

  /** Starts what was requested during a read. */
  #goOn({ isOutdated, wantsPage }) {
    const { page, error } = this.#state;
    if (wantsPage && !error && page.hasNextPage && page.endCursor) {
      this.further();
      this.#loading.isOutdated = isOutdated;
    } else if (isOutdated) this.again();
  }
}

/**
 * Reads a list with cursors, as far as it is shown: `{key, rows, error, isLoading, isComplete, more, again, retry, drop}`. `afterRemoval`
 * returns what follows a change that removes a row, for `useChange`.
 *
 * @param pick returns the page in the data.
 * @param options `on`: subject types whose events cause the shown rows to be read again, up to {@link MAX_REREAD}; `size`: rows per page.
 */
export function useList(document, variables, pick, { on, size = 100 } = {}) {
  const key = document + JSON.stringify(variables);
  const [, setTurn] = useState(0);
  const list = useMemo(() => {
    const readPage = async (after, signal) =>
      pick(await graph(document, { ...variables, first: size, after }, { signal }));
    return new ShownList(key, readPage, () => setTurn((number) => number + 1));
  }, [key]);
  // Its cleanup runs at once, before another person can read.
  useLayoutEffect(() => {
    list.again();
    return () => list.stop();
  }, [list]);
  useRefresh(on, list.again);
  const { page, error, isRead } = list.state;
  useRecovery(error, list.retry);
  return {
    /** Identifies the list: other filters make another one. */
    key,
    rows: page.nodes,
    error,
    isLoading: !isRead && !error && page.nodes.length === 0,
    isComplete: !page.hasNextPage,
    /** Changes with each further page, even with an empty one. */
    end: page.endCursor,
    more: () => !error && page.hasNextPage && page.endCursor && list.further(),
    again: list.again,
    retry: list.retry,
    drop: list.drop,
    afterRemoval: (id) => (data) => {
      if (data) list.drop(id);
      list.again();
    },
  };
}

/** Maximum number of rows of {@link useWhole}. */
const MAX_WHOLE = 500;

/** Reads a list to its end, up to {@link MAX_WHOLE} rows: `{rows, isCut}`, whether there are more. */
export function useWhole(document, variables, pick) {
  const { rows, isComplete, end, error, more } = useList(document, variables, pick);
  useEffect(() => {
    if (!isComplete && rows.length < MAX_WHOLE) more();
  }, [isComplete, rows.length, end, error]);
  return { rows, isCut: !isComplete && rows.length >= MAX_WHOLE };
}
