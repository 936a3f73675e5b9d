/** The public GraphQL endpoint, the only source of the console's data. */
import { signal } from '@preact/signals';
import { jsonOf, RequestError, withJson } from '../pages/http.js';
import { fetchSignedIn } from '../pages/session.js';
import { BASE } from './router.js';

/** The caller's budget after the last response: `{maximumAvailable, currentlyAvailable, restoreRate}`. */
export const budget = signal(null);

/**
 * Runs an operation and returns its data.
 *
 * @param options `partial`: whether to accept data with errors, if single fields may be refused.
 * @throws RequestError, AbortError
 */
export async function graph(document, variables = {}, { signal: abort, partial = false } = {}) {
  const headers = { accept: 'application/graphql-response+json' };
  const request = { ...withJson('POST', { query: document, variables }, headers), signal: abort };
  const { body } = await jsonOf(fetchSignedIn(`${BASE}graphql`, request));
  budget.value = body.extensions?.cost?.throttleStatus ?? budget.value;
  const [failure = body.error] = body.errors ?? [];
  if (failure && !(partial && body.data)) {
    const { code, details } = failure.extensions ?? failure;
    throw new RequestError({ message: failure.message, code, details });
  }
  return body.data;
}
