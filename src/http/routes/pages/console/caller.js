/** The signed-in person and their scopes. The server enforces them; the console only hides what the server would refuse. */
import { computed, signal } from '@preact/signals';
import { onSession, ready } from '../pages/session.js';
import { forget } from './data.js';

/** The session: undefined until it is known, null when signed out. */
export const session = signal(undefined);

void ready.then(() =>
  onSession((next) => {
    if (next?.userId !== session.value?.userId) forget();
    session.value = next;
  }),
);

const scopes = computed(() => new Set(session.value?.scopes));

export const may = (scope) => scopes.value.has(scope);
