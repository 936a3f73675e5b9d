/** Calls of tools, and their results. Keys of `_meta` begin with the name of the server, as the protocol requires. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Principal } from '../../../auth/policy.ts';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import type { RestResponse } from '../../../rest/handle/handler.ts';
import type { ToolArguments } from '../../../rest/tools/arguments.ts';
import type { Tool } from '../../../rest/tools/index.ts';
import { errorBody, toHttpError } from '../../hooks/errors.ts';

interface ToolCallerParts {
  readonly tools: readonly Tool[];
  readonly principal: Principal;
  readonly context: Context;
  /** The arguments of the tool that the request calls. */
  readonly args: ToolArguments;
}

/** The caller of one request, and what it has done. */
export class ToolCaller {
  readonly principal: Principal;
  readonly #parts: ToolCallerParts;
  /** Whether a tool was called. */
  hasCalled = false;
  /** The error of a call that lacks scopes, which the client may be able to obtain. */
  challenge: ApiError | undefined;

  constructor(parts: ToolCallerParts) {
    this.principal = parts.principal;
    this.#parts = parts;
  }

  /** Returns the tools that the caller may call, in the order of all tools. */
  permitted(): Tool[] {
    const { tools, context } = this.#parts;
    return tools.filter((tool) => tool.permits(context));
  }

  /** Calls a tool. A failure is a result too. */
  async call(tool: Tool): Promise<CallToolResult> {
    const { context, args } = this.#parts;
    this.hasCalled = true;
    try {
      return resultOf(await tool.call(args, context), context);
    } catch (thrown) {
      const error = toHttpError(thrown);
      if (error.code === 'internal_error') context.noteInternalError(error.cause, context.requestId);
      if (error.scope !== undefined) this.challenge = challengeOf(error, this.principal);
      return failureOf(error, context);
    }
  }
}

/**
 * Returns the error of a call that lacks a scope, for an app with the scopes of its token: clients request those of the error, and would
 * lose all others with the next token (Model Context Protocol 2025-11-25, "Runtime Insufficient Scope Errors"). Those of OpenID Connect,
 * such as `offline_access`, are not for a resource to name: clients add them.
 */
function challengeOf(error: ApiError, { grant, scopes }: Principal): ApiError {
  if (!grant || error.scope === undefined) return error;
  const { code, message, scope } = error;
  return new ApiError(code, { message, scope: [...scopes, scope].join(' ') });
}

/**
 * Returns the response of a route as a result: its body both as a value and, for older clients, as text.
 *
 * @throws ApiError `response_too_large` if both together would exceed the maximum size of a response.
 */
function resultOf({ body, etag }: RestResponse, context: Context): CallToolResult {
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
function failureOf(error: ApiError, context: Context): CallToolResult {
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
