/** Hooks to read and change data in components. Cached data is shown at once, and read again. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { recall, remember } from './cache.js';
import { session } from './caller.js';
import { graph } from './graph.js';
import { notify, refusalOf } from './notices.js';
import { useRecovery, useRefresh } from './refresh.js';

/** Milliseconds after which a read is given up, such as after a change of networks: the next ones wait for it. */
const PATIENCE = 30_000;

/** Returns a function that reads, or that reads once more after the read in progress, so that frequent events do not abort each read. */
function oneAtATime(read, signal) {
  let isRunning = false;
  let isOutdated = false;
  return async function again() {
    isOutdated = isRunning;
    if (isRunning) return;
    isRunning = true;
    await read();
    isRunning = false;
    if (isOutdated && !signal.aborted) again();
  };
}

/**
 * Reads the data of a query: `{data, error, again}`. `data` is undefined until it has arrived.
 *
 * @param options `on`: subject types whose events cause another read.
 */
export function useQuery(document, variables, { on } = {}) {
  const key = document + JSON.stringify(variables);
  const [state, setState] = useState({});
  const latest = useRef();
  // Its cleanup runs at once, before another person can read.
  useLayoutEffect(() => {
    const abort = new AbortController();
    const read = () =>
      graph(document, variables, { signal: AbortSignal.any([abort.signal, AbortSignal.timeout(PATIENCE)]) })
        .then((data) => {
          remember(key, data);
          setState({ key, data });
        })
        .catch((error) => error.name !== 'AbortError' && setState({ key, error, data: recall(key) }));
    latest.current = oneAtATime(read, abort.signal);
    latest.current();
    return () => abort.abort();
  }, [key]);
  const again = useCallback(() => latest.current(), []);
  useRefresh(on, again);
  useRecovery(state.key === key ? state.error : undefined, again);
  return state.key === key ? { ...state, again } : { data: recall(key), again };
}

/**
 * Returns `[run, isRunning]` for a mutation. `run` returns the data, or undefined after an error, which has been shown.
 *
 * @param done a message for people, or a function from the data to a message.
 * @param then called with what `run` returns, also after an error: it reads again what the page shows.
 */
export function useChange(document, done, then) {
  const [isRunning, setRunning] = useState(false);
  const run = async (variables) => {
    const caller = session.peek()?.userId;
    const tell = (...message) => {
      // Another person may have signed in since.
      const now = session.peek();
      if (!now || now.userId === caller) notify(...message);
    };
    setRunning(true);
    let data;
    try {
      data = await graph(document, variables);
      if (done) tell(typeof done === 'function' ? done(data) : done);
    } catch (error) {
      tell(refusalOf(error), true, error);
    }
    setRunning(false);
    then?.(data);
    return data;
  };
  return [run, isRunning];
}
