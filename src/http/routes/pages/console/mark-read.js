/** The number of unread events, and a button that marks events as read. */
import { useChange } from './data.js';
import { count } from './format.js';
import { html } from './html.js';

const READ = `mutation MarkFeedRead($eventId: ID!) {
  markFeedRead(eventId: $eventId) { id unreadNotifications }
}`;

/** The server counts no further. */
const MOST = 100;

/** Formats a number of unread events; undefined if it is not known. */
export const unread = (number) =>
  number === undefined || number === null ? undefined : number >= MOST ? `${MOST - 1}+` : count(number);

/**
 * @param newest the newest event that is shown. It and all older events become read, but none that arrives meanwhile.
 * @param number the number of unread events.
 * @param again reads the number again.
 */
export function MarkRead({ newest, number, again }) {
  const [mark, isRunning] = useChange(
    READ,
    ({ markFeedRead: { unreadNotifications: left } }) =>
      left > 0 ? `The events are read, except ${unread(left)} newer.` : 'All events are read.',
    again,
  );
  return html`<button type="button" disabled=${isRunning || !newest || !number} onClick=${() => mark({ eventId: newest.id })}>Mark as read</button>`;
}
