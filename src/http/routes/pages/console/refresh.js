/** When data has to be read again: after events, and when the connection is back. */
import { useEffect, useRef } from 'preact/hooks';
import { connection, onActivity } from './live.js';

/** Milliseconds for which changes are collected before data is read again. */
export const SETTLE = 250;
/** Milliseconds after which data is read again although changes continue without a pause. Each read costs points. */
const LATEST = 2000;

/** Calls back after events of these subject types, `*` for all; once for several events in quick succession. */
export function useRefresh(subjects, refresh) {
  const latest = useRef(refresh);
  latest.current = refresh;
  const key = subjects?.join() ?? '';
  useEffect(() => {
    if (!key) return undefined;
    const wanted = new Set(key.split(','));
    let timer;
    /** When the first of the collected changes arrived. */
    let since;
    const stop = onActivity(({ subjectType }) => {
      // After a gap in the events, a single event stands for all subjects.
      if (subjectType !== '*' && !wanted.has('*') && !wanted.has(subjectType)) return;
      since ??= performance.now();
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          since = undefined;
          latest.current();
        },
        Math.min(SETTLE, since + LATEST - performance.now()),
      );
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [key]);
}

/** Calls `again` when the connection to the server is back after an error, so that no error outlives its cause. */
export function useRecovery(error, again) {
  useEffect(() => {
    if (!error) return undefined;
    let before = connection.peek();
    return connection.subscribe((now) => {
      if (now === 'live' && before !== 'live') again();
      before = now;
    });
  }, [error]);
}
