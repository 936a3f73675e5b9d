/** Follows the feed: reads its newest page, then the stream of server-sent events (HTML, section 9.2). */
import { createParser } from '../eventsource-parser/index.js';
import { resultOf } from './http.js';
import { fetchSignedIn } from './session.js';

/** Milliseconds before reconnecting after a stream has ended. */
const AGAIN = 2000;
const PAGE = 12;

/**
 * Calls back with the newest lines, and then with each new line. A stream that ends is resumed where it ended.
 * Returns a function that stops it.
 */
export function follow({ onPast, onItem, onState }) {
  const stopping = new AbortController();
  void (async () => {
    let last;
    let isFirst = true;
    let reason = 'it ended';
    while (!stopping.signal.aborted) {
      try {
        const headers = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
        const response = await fetchSignedIn('feed', { headers, signal: stopping.signal });
        if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
          throw new Error('no stream');
        // The stream is open already, so it has the events that happen while the past ones are read.
        if (isFirst) onPast(await newest(stopping.signal));
        isFirst = false;
        onState(true, '');
        const events = createParser({
          onId(id) {
            last = id;
          },
          onEvent({ event, data }) {
            if (event === undefined) onItem(JSON.parse(data));
          },
        });
        const feed = new WritableStream({ write: (text) => events.feed(text) });
        await response.body.pipeThrough(new TextDecoderStream()).pipeTo(feed);
      } catch (error) {
        if (stopping.signal.aborted) return;
        reason = error.message;
      }
      onState(false, reason);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  })();
  return () => stopping.abort();
}

async function newest(signal) {
  return (await resultOf(fetchSignedIn(`feed?limit=${PAGE}`, { signal }))).data;
}
