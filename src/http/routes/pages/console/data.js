/** Hooks to read and change data in components. Cached data is shown at once, and read again. */
import { signal } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentence } from './format.js';
import { graph } from './graph.js';
import { connection, onActivity } from './live.js';

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
  useRecovery(state.key === key ? state.error : undefined, again);
  return state.key === key ? { ...state, again } : { data: known.get(key), again };
}

/** Calls `again` when the connection to the server is back after an error, so that no error outlives its cause. */
function useRecovery(error, again) {
  useEffect(() => {
    if (!error) return undefined;
    let before = connection.peek();
    return connection.subscribe((now) => {
      if (now === 'live' && before !== 'live') again();
      before = now;
    });
  }, [error]);
}

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

/**
 * Reads a list with cursors, as far as it is shown: `{rows, error, isLoading, isComplete, more, again, retry}`.
 *
 * @param pick returns the page in the data.
 * @param options `on`: subject types whose events cause the shown rows to be read again, up to {@link MAX_REREAD}; `size`: rows per page.
 */
export function useList(document, variables, pick, { on, size = 100 } = {}) {
  const key = document + JSON.stringify(variables);
  const [state, setState] = useState({});
  const current = useRef();
  current.current = state.key === key ? state : { key, page: known.get(key) ?? EMPTY };
  const loading = useRef();

  const read = useCallback(
    async (after) => {
      // One read at a time. A refresh that is requested meanwhile follows, so that frequent events do not abort it each time, and so does a
      // further page that is requested during a refresh.
      if (loading.current) {
        if (after === null) loading.current.isOutdated = true;
        else if (loading.current.after === null) loading.current.wantsPage = true;
        return;
      }
      const abort = Object.assign(new AbortController(), { after, isOutdated: false, wantsPage: false });
      loading.current = abort;
      const readPage = async (start) =>
        pick(await graph(document, { ...variables, first: size, after: start }, { signal: abort.signal }));
      const show = (next) => {
        if (next.page !== current.current.page) remember(key, next.page);
        current.current = { key, ...next };
        setState(current.current);
      };
      try {
        if (after === null) {
          const shown = Math.min(MAX_REREAD, current.current.page.nodes.length);
          let page = await readPage(null);
          while (page.hasNextPage && page.endCursor && page.nodes.length < shown)
            page = afterPage(page, await readPage(page.endCursor));
          // A page that could not be read still cannot be, as far as is known.
          const { page: before, failed, error } = current.current;
          const next = refreshed(before, page);
          show({ page: next, isRead: true, ...(failed === 'page' && next.hasNextPage && { failed, error }) });
        } else {
          show({ page: afterPage(current.current.page, await readPage(after)), isRead: true });
        }
      } catch (error) {
        if (error.name !== 'AbortError')
          show({ ...current.current, error, failed: after === null ? 'list' : 'page' });
      } finally {
        if (loading.current === abort) loading.current = undefined;
      }
      if (abort.signal.aborted) return;
      const { page, error } = current.current;
      if (abort.wantsPage && !error && page.hasNextPage && page.endCursor) {
        read(page.endCursor);
        loading.current.isOutdated = abort.isOutdated;
      } else if (abort.isOutdated) read(null);
    },
    [key],
  );

  useEffect(() => {
    read(null);
    return () => {
      loading.current?.abort();
      loading.current = undefined;
    };
  }, [key]);
  useRefresh(on, () => read(null));

  const { page, error, failed, isRead } = current.current;
  const retry = () => read(failed === 'page' ? page.endCursor : null);
  useRecovery(error, retry);
  return {
    rows: page.nodes,
    error,
    isLoading: !isRead && !error && page.nodes.length === 0,
    isComplete: !page.hasNextPage,
    /** Changes with each further page, even with an empty one. */
    end: page.endCursor,
    more: () => !error && page.hasNextPage && page.endCursor && read(page.endCursor),
    again: () => read(null),
    /** Repeats what failed: reading another page, or the list. */
    retry,
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

/** Maximum number of rows of {@link useWhole}. */
export const MAX_WHOLE = 500;

/** Reads a list to its end, up to {@link MAX_WHOLE} rows: `{rows, isCut}`, whether there are more. */
export function useWhole(document, variables, pick) {
  const { rows, isComplete, end, error, more } = useList(document, variables, pick);
  useEffect(() => {
    if (!isComplete && rows.length < MAX_WHOLE) more();
  }, [isComplete, rows.length, end, error]);
  return { rows, isCut: !isComplete && rows.length >= MAX_WHOLE };
}

/** A message about the last change, which screen readers announce. */
export const notice = signal(null);

let noticeTimer;

/** @param error the error that the message is about. */
export function notify(text, isProblem = false, error = undefined) {
  clearTimeout(noticeTimer);
  notice.value = { text, isProblem, error };
  noticeTimer = setTimeout(() => {
    notice.value = null;
  }, 6000);
}

/**
 * Returns the message of a refusal, with the names of the invalid inputs. Pages send versions without people knowing about them.
 *
 * @param labelOf returns what a form calls an input, if it has it. Otherwise `input.match.sanUri` is "San uri".
 */
export const refusalOf = ({ code, message, details = [] }, labelOf = () => undefined) =>
  code === 'precondition_failed'
    ? 'It was changed meanwhile. Close this, check the change, and try again.'
    : details.length === 0
      ? message
      : details
          .map(({ path, message: reason }) => {
            const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
            const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
            return `${labelOf(name) ?? sentence(words)} ${reason}.`;
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
      notify(refusalOf(error), true, error);
      return undefined;
    } finally {
      setRunning(false);
    }
  };
  return [run, isRunning];
}
