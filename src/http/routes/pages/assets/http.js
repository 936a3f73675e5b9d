/** Requests whose failures have messages for people, also when the response is not from the server but from a proxy before it. */

/** A failed request: a message for people, the code of the error, and its details. */
export class RequestError extends Error {
  constructor({ message, code, details = [] }) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.details = details;
  }
}

const UNREACHABLE = {
  message: 'The server cannot be reached. Check the connection, then try again.',
  code: 'unreachable',
};

/** What the browser and proxies report as a TypeError or a SyntaxError. An abort is not a failure, and stays what it is. */
const failed = (error) => {
  throw error.name === 'AbortError' ? error : new RequestError(UNREACHABLE);
};

/** Returns the message for a response that is not JSON, so it is not from the server itself. */
const unusable = ({ status }) =>
  new RequestError({
    message: `The server is not available at the moment (HTTP ${status}). Try again in a moment.`,
    code: 'unavailable',
  });

/**
 * Waits for a response and its text.
 *
 * @param request the promise of `fetch`.
 * @throws RequestError `unreachable` after a network failure, AbortError
 */
export async function textOf(request) {
  const response = await request.catch(failed);
  return { response, text: await response.text().catch(failed) };
}

/**
 * Waits for a response and its JSON, which is undefined for a response without content.
 *
 * @throws RequestError `unreachable` after a network failure, `unavailable` for a response that is not JSON; AbortError
 */
export async function jsonOf(request) {
  const { response, text } = await textOf(request);
  if (text === '' && response.ok) return { response };
  try {
    return { response, body: JSON.parse(text) };
  } catch {
    throw unusable(response);
  }
}

/** Like {@link jsonOf}, but returns only the JSON. @throws RequestError also for the errors of the REST API. */
export async function resultOf(request) {
  const { response, body } = await jsonOf(request);
  if (!response.ok) throw new RequestError(body.error ?? unusable(response));
  return body;
}

/** Returns the options of a request with JSON. */
export const withJson = (method, body, headers = {}) => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
