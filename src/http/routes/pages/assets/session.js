/**
 * Who is signed in on these pages. The tokens stay in this tab: sessionStorage is not shared and ends with it, and the
 * pages run no script but their own.
 */
const KEY = 'portico.session';
/** Milliseconds before its end in which an access token is exchanged for the next. */
const EARLY = 60_000;
const listeners = new Set();

const read = () => JSON.parse(sessionStorage.getItem(KEY) ?? 'null');

function write(session) {
  if (session) sessionStorage.setItem(KEY, JSON.stringify(session));
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener(session);
}

/** Calls back now and after each sign-in or sign-out, with the session or null. */
export function onSession(listener) {
  listeners.add(listener);
  listener(read());
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status === 204) return undefined;
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

const claimsOf = (token) => JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));

const sessionOf = ({ access_token, refresh_token, expires_in }, email) => {
  const { sub, org, role } = claimsOf(access_token);
  const ends = Date.now() + expires_in * 1000;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    ends,
    email,
    userId: Number(sub),
    org,
    role,
  };
};

/** Signs in. Throws an Error with a sentence for people. */
export async function signIn(email, password) {
  write(sessionOf(await post('v1/auth/login', { email, password }), email));
}

export async function signOut() {
  const session = read();
  write(null);
  if (session) await post('v1/auth/logout', { refresh_token: session.refreshToken });
}

let refreshing;

/** The present access token, exchanged for the next when it is about to end; null when signed out. */
export async function accessToken() {
  const session = read();
  if (!session || session.ends - Date.now() > EARLY) return session?.accessToken ?? null;
  refreshing ??= post('v1/auth/refresh', { refresh_token: session.refreshToken })
    .then((answer) => write(sessionOf(answer, session.email)))
    .catch(() => write(null))
    .finally(() => {
      refreshing = undefined;
    });
  await refreshing;
  return read()?.accessToken ?? null;
}

/** `fetch` as the signed-in person. */
export async function fetchSignedIn(url, options = {}) {
  const token = await accessToken();
  const headers = new Headers(options.headers);
  if (token && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  return fetch(url, { ...options, headers });
}
