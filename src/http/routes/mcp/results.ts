/** Results of tools. Keys of `_meta` begin with the name of the server, as the protocol requires. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import type { RestResponse } from '../../../rest/index.ts';
import { errorBody } from '../../hooks/errors.ts';

/**
 * Returns the response of a route as a result: its body both as a value and, for older clients, as text.
 *
 * @throws ApiError `response_too_large` if both together would exceed the maximum size of a response.
 */
export function resultOf({ body, etag }: RestResponse, context: Context): CallToolResult {
  const _meta = { ...(etag !== undefined && { 'portico/etag': etag }), ...keyIn(context) };
  if (body === undefined) return { content: [text('Done.')], _meta };
  // The text escapes the quotes of the value again, which makes it up to twice as long.
  if (Buffer.byteLength(body) > context.responseLimit / 3) throw new ApiError('response_too_large');
  return { content: [text(body)], structuredContent: JSON.parse(body), _meta };
}

/**
 * Returns an error as a result, so that the model sees it. It is text only: structured content must match the output schema of the
 * tool, and clients check that for errors too.
 */
export function failureOf(error: ApiError, context: Context): CallToolResult {
  const { error: failure } = errorBody(error);
  const { retryAfter } = error;
  const said = { error: { ...failure, ...(retryAfter !== undefined && { retry_after: retryAfter }) } };
  return { isError: true, content: [text(JSON.stringify(said))], _meta: keyIn(context) };
}

/** Whether the outcome is that of an earlier call with the same idempotency key, and the key that was generated for this call. */
const keyIn = ({ replayed, generatedKeys }: Context) => ({
  ...(replayed.length > 0 && { 'portico/idempotent-replayed': true }),
  ...(generatedKeys && { 'portico/idempotency-key': Object.values(generatedKeys)[0] }),
});

const text = (value: string) => ({ type: 'text' as const, text: value });
