/** The signed-in person and their scopes. The server enforces them; the console only hides what the server would refuse. */
import { computed, signal } from '@preact/signals';
import { narrow, onSession, ready } from '../pages/session.js';
import { forget } from './cache.js';
import { graph } from './graph.js';
import { onActivity } from './live.js';
import { notify } from './notices.js';

/** The session: undefined until it is known, null when signed out. */
export const session = signal(undefined);

/** Why the last session has ended, for people; empty if they ended it. */
export const ending = signal('');

void ready.then(() =>
  onSession((next, why) => {
    ending.value = why;
    if (next?.userId !== session.value?.userId) forget();
    session.value = next;
  }),
);

const scopes = computed(() => new Set(session.value?.scopes));

export const may = (scope) => scopes.value.has(scope);

/** The scopes of each role, from the server. */
const ROLE_SCOPES = JSON.parse(document.getElementById('console').dataset.scopes);

/** Reads the role again: a session loses rights with its person at once, and gets additional ones only with the next sign-in. */
async function readRole() {
  const { role } = (await graph('{ me { role } }')).me;
  const held = session.value;
  if (!held || held.role === role) return;
  const mayHave = new Set(ROLE_SCOPES[role]);
  const scopes = held.scopes.filter((scope) => mayHave.has(scope));
  narrow(role, scopes);
  const hasMore = mayHave.size > scopes.length;
  notify(`Your role is now ${role}.${hasMore ? ' Sign in again to use all that it permits.' : ''}`);
}

onActivity(({ type, subjectType, subjectId }) => {
  const isOwn = type === 'user.role_changed' && String(subjectId) === String(session.value?.userId);
  // After a failure the server still refuses what the page should no longer show.
  if (isOwn || subjectType === '*') readRole().catch(() => undefined);
});
