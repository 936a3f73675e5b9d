/**
 * The session of the person who is signed in on the pages of this server.
 *
 * The session is in the memory of the page, and in the sessionStorage of its tab, so that a reload does not use up a refresh
 * token whose successor may be lost. Scripts of other origins can read neither, and it ends with the tab. Tabs of this origin
 * share it by messages (BroadcastChannel, HTML section 9.5): a new tab requests it from the others, and a refreshed session is
 * sent to all, since a refresh token can be used only once.
 */
import { jsonOf, RequestError, withJson } from './http.js';

const KEY = 'portico.session';
/**
 * The newest device token, in the localStorage: it grants no access, and must outlive the session and the tab, so that wrong passwords
 * sent by others do not lock out this browser.
 */
const DEVICE = 'portico.device';
/** Milliseconds before its expiry from which an access token is refreshed. */
const EARLY = 60_000;
/** Milliseconds to wait for responses of other tabs. */
const ANSWER = 80;
const GRAPHQL = new URL('../../graphql', import.meta.url);

const SESSION = 'accessToken refreshToken deviceToken expiresIn';
const LOGIN = `mutation SignIn($email: String!, $password: String!, $deviceToken: String) {
  login(email: $email, password: $password, deviceToken: $deviceToken) { ${SESSION} }
}`;
const REFRESH = `mutation RefreshSession($token: String!) {
  refreshSession(refreshToken: $token) { ${SESSION} }
}`;
const LOGOUT = 'mutation SignOut($token: String!) { logout(refreshToken: $token) }';

const listeners = new Set();
const tabs = new BroadcastChannel(KEY);

let session = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
/** Why the last session has ended, for people; empty if they ended it. */
let reason = '';

const ENDED = 'Your session has ended. Sign in again to continue.';
const LEFT_OPEN =
  'This browser is signed out, but the server cannot be reached: there the session continues. Keep this page open to end it.';
/** Milliseconds before another attempt to end the session on the server. */
const SIGN_OUT_AGAIN = 5000;

function set(next, why = '') {
  session = next;
  reason = why;
  if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener(next, why);
}

/** Sets the session in all tabs. @param why why it has ended, for people. */
function publish(next, why = '') {
  set(next, why);
  tabs.postMessage(next ? { session: next } : { signedOut: true, why });
}

/** Whether a session is newer than another: by the clock of the server, which a correction of that of the browser cannot reverse. */
const isNewer = (one, other) => (one.issuedAt - other.issuedAt || one.ends - other.ends) > 0;

tabs.addEventListener('message', ({ data }) => {
  if (data.signedOut) set(null, data.why);
  else if (data.session && (!session || isNewer(data.session, session))) set(data.session);
  else if (data.question && session) tabs.postMessage({ session });
});

/** Requests the session from other tabs. Resolves when they have had time to send a newer one. */
function askTabs() {
  tabs.postMessage({ question: true });
  return new Promise((resolve) => setTimeout(resolve, ANSWER));
}

/** Resolves when it is known whether a session exists. */
export const ready = session ? Promise.resolve() : askTabs();

/**
 * Calls back now and after each sign-in, refresh or sign-out, with the session or null, and then why it has ended: a text for people,
 * which is empty if they ended it.
 */
export function onSession(listener) {
  listeners.add(listener);
  listener(session, reason);
}

async function send(query, variables) {
  const headers = { accept: 'application/graphql-response+json' };
  const { body } = await jsonOf(fetch(GRAPHQL, withJson('POST', { query, variables }, headers)));
  const [problem = body.error] = body.errors ?? [];
  if (problem) throw new RequestError({ ...problem, code: problem.extensions?.code ?? problem.code });
  return body.data;
}

const claimsOf = (token) => JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));

function sessionOf({ accessToken, refreshToken, deviceToken, expiresIn }, email) {
  localStorage.setItem(DEVICE, deviceToken);
  const { sub, org, role, scopes, iat } = claimsOf(accessToken);
  const now = Date.now();
  return {
    accessToken,
    refreshToken,
    /** When the token expires by the clock of this browser, which may be corrected before. */
    ends: now + expiresIn * 1000,
    /** By the clock of the server, in whole seconds. */
    issuedAt: iat * 1000,
    clockOffset: iat * 1000 - now,
    email,
    userId: Number(sub),
    org,
    role,
    scopes,
  };
}

/** Returns the server's time, from which the browser's clock may differ. The access token states when it was issued. */
export const serverNow = () => Date.now() + (session?.clockOffset ?? 0);

/** Signs in. Throws an Error with a message for people. */
export async function signIn(email, password) {
  const deviceToken = localStorage.getItem(DEVICE);
  publish(sessionOf((await send(LOGIN, { email, password, deviceToken })).login, email));
}

/** Signs out here at once, and on the server as soon as it can be reached. Until then the sign-in page says so. */
export async function signOut() {
  const token = session?.refreshToken;
  publish(null);
  while (token) {
    try {
      await send(LOGOUT, { token });
      if (reason === LEFT_OPEN) set(null);
      return;
    } catch ({ code }) {
      // Any other refusal is final: the session no longer exists on the server.
      if (code !== 'unreachable' && code !== 'unavailable') return;
    }
    if (!session) set(null, LEFT_OPEN);
    await new Promise((resolve) => setTimeout(resolve, SIGN_OUT_AGAIN));
  }
}

/** Changes what the present session may do, after the person has got another role. The server decides; pages only show less. */
export function narrow(role, scopes) {
  if (session) set({ ...session, role, scopes });
}

/** Whether the session needs another access token: the server has refused this one, or it is about to expire. */
const isDue = (refused) => session && (session.accessToken === refused || session.ends - Date.now() <= EARLY);

async function refresh(refused) {
  await askTabs();
  if (!isDue(refused)) return;
  const { email, refreshToken } = session;
  // The session may end meanwhile, or another person may sign in from another tab.
  const isPresent = () => session?.refreshToken === refreshToken;
  try {
    const next = sessionOf((await send(REFRESH, { token: refreshToken })).refreshSession, email);
    if (isPresent()) publish(next);
  } catch (error) {
    // After any other error the session may still be valid, and the current token is for a while.
    if (isPresent() && error.code === 'invalid_token') publish(null, ENDED);
  }
}

let refreshing;

/**
 * Returns the access token, refreshed if it is about to expire; null when signed out.
 *
 * @param refused a token that the server has refused, which is refreshed whatever the clock of this browser says.
 */
export async function accessToken(refused = undefined) {
  await ready;
  if (isDue(refused)) {
    refreshing ??= refresh(refused).finally(() => {
      refreshing = undefined;
    });
    await refreshing;
  }
  return session?.accessToken ?? null;
}

/** Whether a response refuses the token of its request (RFC 6750, section 3.1), and not, for example, a password in its body. */
const refusesToken = ({ status, headers }) =>
  status === 401 && headers.get('www-authenticate')?.includes('error="invalid_token"');

/**
 * Calls `fetch` as the signed-in person, unless the request has credentials of its own. If the server refuses the token, it is refreshed
 * and the request is repeated once. The session ends here only if the server refuses to refresh it.
 */
export async function fetchSignedIn(url, options = {}) {
  if (new Headers(options.headers).has('authorization')) return fetch(url, options);
  const fetchWith = (token) => {
    const headers = new Headers(options.headers);
    if (token) headers.set('authorization', `Bearer ${token}`);
    return fetch(url, { ...options, headers });
  };
  await ready;
  const person = session?.userId;
  // Another person may sign in from another tab meanwhile: they have not sent this request.
  const tokenOfPerson = async (refused) => {
    const token = await accessToken(refused);
    return session?.userId === person ? token : null;
  };
  const token = await tokenOfPerson();
  const response = await fetchWith(token);
  if (!token || !refusesToken(response)) return response;
  const next = await tokenOfPerson(token);
  return next && next !== token ? fetchWith(next) : response;
}
