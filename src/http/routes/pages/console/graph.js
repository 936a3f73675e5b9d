/** The public GraphQL endpoint, the only source of the console's data. */
import { signal } from '@preact/signals';
import { fetchSignedIn } from '../pages/session.js';
import { BASE } from './router.js';

/** The caller's budget after the last response: `{maximumAvailable, currentlyAvailable, restoreRate}`. */
export const budget = signal(null);

/** An error of the endpoint, with its code and a message for people. */
export class GraphError extends Error {
  constructor({ message, extensions, code = extensions?.code, details = extensions?.details }) {
    super(message);
    this.name = 'GraphError';
    this.code = code;
    this.details = details ?? [];
  }
}

const NETWORK = {
  message: 'The server cannot be reached. Check the connection, then try again.',
  code: 'unreachable',
};

/**
 * Runs an operation and returns its data.
 *
 * @param options `partial`: whether to accept data with errors, if single fields may be refused.
 * @throws GraphError
 */
export async function graph(document, variables = {}, { signal: abort, partial = false } = {}) {
  const response = await fetchSignedIn(`${BASE}graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: document, variables }),
    signal: abort,
  }).catch((error) => {
    throw error.name === 'AbortError' ? error : new GraphError(NETWORK);
  });
  const body = await response.json().catch(() => ({ error: NETWORK }));
  budget.value = body.extensions?.cost?.throttleStatus ?? budget.value;
  const [failure] = body.errors ?? (body.error ? [body.error] : []);
  if (failure && !(partial && body.data)) throw new GraphError(failure);
  return body.data;
}
