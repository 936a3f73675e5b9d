/** The URL is the state of the console: the path is the page, and the query its filters. */
import { computed, signal } from '@preact/signals';

/** The path under which clients reach the server, with a trailing slash. */
export const BASE = new URL('../../', import.meta.url).pathname;
const ROOT = `${BASE}console`;

const read = () => ({
  path: location.pathname.slice(ROOT.length).replace(/\/$/, ''),
  query: location.search,
});

const place = signal(read());

/** The path of the page within the console: `/orders/7`; empty for the overview. */
export const path = computed(() => place.value.path);

/** The filters of the page. */
export const query = computed(() => new URLSearchParams(place.value.query));

/** Returns the URL of a page of the console. */
export const to = (page) => ROOT + page;

/** Opens a page of the console. */
export function go(page, { replace = false } = {}) {
  const url = to(page);
  if (url === location.pathname + location.search) return;
  history.replaceState({ ...history.state, top: scrollY }, '');
  history[replace ? 'replaceState' : 'pushState']({}, '', url);
  const before = place.value.path;
  place.value = read();
  if (place.value.path !== before) scrollTo(0, 0);
}

/** Changes filters of the current page. Undefined and an empty text remove a filter. */
export function filter(changes) {
  const next = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  go(place.value.path + (text && `?${text}`), { replace: true });
}

/** Returns a function that sets a filter of the current page, for inputs. */
export const setFilter = (name) => (value) => filter({ [name]: value });

addEventListener('popstate', ({ state }) => {
  const before = place.value;
  place.value = read();
  // Only the fragment has changed: the browser scrolls.
  if (state === null && before.path === place.value.path && before.query === place.value.query) return;
  const top = state?.top ?? 0;
  // The list has its height only after it has been rendered.
  requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, top)));
});

/** Handles links within the console without a page load; the browser handles all others. */
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.target || link.hasAttribute('download')) return;
  const { origin, pathname, search, hash } = new URL(link.href);
  // A link within the page, such as the one that skips the navigation: the browser scrolls, and moves the focus.
  if (hash && pathname === location.pathname && search === location.search) return;
  if (origin !== location.origin || !(pathname === ROOT || pathname.startsWith(`${ROOT}/`))) return;
  event.preventDefault();
  go(pathname.slice(ROOT.length) + search);
});
