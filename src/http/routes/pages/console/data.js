/** Hooks to read and change data in components. Cached data is shown at once, and read again. */
import { signal } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentence } from './format.js';
import { graph } from './graph.js';
import { onActivity } from './live.js';

/** Cached results of this sign-in, by operation and variables. The oldest ones are dropped first. */
const known = new Map();
const MAX_KNOWN = 100;

export const forget = () => known.clear();

function remember(key, value) {
  known.delete(key);
  known.set(key, value);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value);
}

/** Milliseconds for which changes are collected before data is read again. */
const SETTLE = 250;

/** Calls back after events of these subject types, `*` for all; once for several events in quick succession. */
function useRefresh(subjects, refresh) {
  const latest = useRef(refresh);
  latest.current = refresh;
  const key = subjects?.join() ?? '';
  useEffect(() => {
    if (!key) return undefined;
    const wanted = new Set(key.split(','));
    let timer;
    const stop = onActivity(({ subjectType }) => {
      // After a gap in the events, a single event stands for all subjects.
      if (subjectType !== '*' && !wanted.has('*') && !wanted.has(subjectType)) return;
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), SETTLE);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [key]);
}

/**
 * Reads the data of a query: `{data, error, again}`. `data` is undefined until it has arrived.
 *
 * @param options `on`: subject types whose events cause another read; `partial`: see {@link graph}.
 */
export function useQuery(document, variables = {}, { on, partial } = {}) {
  const key = document + JSON.stringify(variables);
  const [state, setState] = useState({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    graph(document, variables, { signal: abort.signal, partial })
      .then((data) => {
        remember(key, data);
        setState({ key, data });
      })
      .catch((error) => error.name !== 'AbortError' && setState({ key, error, data: known.get(key) }));
    return () => abort.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((number) => number + 1), []);
  useRefresh(on, again);
  return state.key === key ? { ...state, again } : { data: known.get(key), again };
}

const EMPTY = { nodes: [], endCursor: null, hasNextPage: true };

/** Merges rows without duplicate ids, those of `first` before the others. */
function joined(first, second) {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id))];
}

/** Merges another page into a cached list. A first page that is the whole list replaces the cached one. */
function pageAfter(before, page, isFirst) {
  if (!isFirst) return { ...page, nodes: joined(before.nodes, page.nodes) };
  if (!before.endCursor || !page.hasNextPage) return page;
  // Keeps the rows beyond the first page, with their end cursor.
  return { ...before, nodes: joined(page.nodes, before.nodes) };
}

/**
 * Reads a list with cursors, as far as it is shown: `{rows, error, isLoading, isComplete, more, again}`.
 *
 * @param pick returns the page in the data.
 * @param options `on`: subject types whose events cause the first page to be read again; `size`: rows per page.
 */
export function useList(document, variables, pick, { on, size = 100 } = {}) {
  const key = document + JSON.stringify(variables);
  const [state, setState] = useState({});
  const current = useRef();
  current.current = state.key === key ? state : { key, page: known.get(key) ?? EMPTY };
  const loading = useRef();

  const read = useCallback(
    async (after) => {
      const before = loading.current;
      const isLoading = before?.signal.aborted === false;
      // A refresh does not cancel a page that the person requested: the first page is read after it.
      if (isLoading && before.after !== null && after === null) {
        before.isOutdated = true;
        return;
      }
      const abort = Object.assign(new AbortController(), { after, isOutdated: isLoading && after !== null });
      before?.abort();
      loading.current = abort;
      try {
        const page = pick(
          await graph(document, { ...variables, first: size, after }, { signal: abort.signal }),
        );
        const next = pageAfter(current.current.page, page, after === null);
        remember(key, next);
        setState({ key, page: next, isRead: true });
      } catch (error) {
        if (error.name !== 'AbortError') setState({ ...current.current, error });
      } finally {
        if (loading.current === abort) loading.current = undefined;
      }
      if (abort.isOutdated && !abort.signal.aborted) read(null);
    },
    [key],
  );

  useEffect(() => {
    read(null);
    return () => loading.current?.abort();
  }, [key]);
  useRefresh(on, () => read(null));

  const { page, error, isRead } = current.current;
  return {
    rows: page.nodes,
    error,
    isLoading: !isRead && !error && page.nodes.length === 0,
    isComplete: !page.hasNextPage,
    /** Changes with each further page, even with an empty one. */
    end: page.endCursor,
    more: () =>
      !loading.current?.after && !error && page.hasNextPage && page.endCursor && read(page.endCursor),
    again: () => read(null),
    /** Removes a deleted row at once, before the list is read again. */
    drop: (id) => {
      const before = current.current.page;
      const next = { ...before, nodes: before.nodes.filter((row) => row.id !== id) };
      remember(key, next);
      current.current = { key, page: next, isRead: true };
      setState(current.current);
    },
  };
}

/** A message about the last change, which screen readers announce. */
export const notice = signal(null);

let noticeTimer;

export function notify(text, isProblem = false) {
  clearTimeout(noticeTimer);
  notice.value = { text, isProblem };
  noticeTimer = setTimeout(() => {
    notice.value = null;
  }, 6000);
}

/** Returns the message of a refusal, with the names of the invalid inputs: `input.match.sanUri` is "San uri". */
const refusalOf = ({ message, details = [] }) =>
  details.length === 0
    ? message
    : details
        .map(({ path, message: reason }) => {
          const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
          return `${sentence(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))} ${reason}.`;
        })
        .join(' ');

/**
 * Returns `[run, isRunning]` for a mutation. `run` returns the data, or undefined after an error, which has been shown.
 *
 * @param done a message for people, or a function from the data to a message.
 */
export function useChange(document, done) {
  const [isRunning, setRunning] = useState(false);
  const run = async (variables) => {
    setRunning(true);
    try {
      const data = await graph(document, variables);
      if (done) notify(typeof done === 'function' ? done(data) : done);
      return data;
    } catch (error) {
      notify(refusalOf(error), true);
      return undefined;
    } finally {
      setRunning(false);
    }
  };
  return [run, isRunning];
}
