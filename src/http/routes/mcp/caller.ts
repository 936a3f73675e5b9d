import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Principal } from '../../../auth/policy.ts';
import type { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import type { Tool } from '../../../rest/tools/index.ts';
import type { ToolArguments } from '../../../rest/tools/request.ts';
import { toHttpError } from '../../hooks/errors.ts';
import { failureOf, resultOf } from './results.ts';

export interface ToolCallerParts {
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
      if (error.scope !== undefined) this.challenge = error;
      return failureOf(error, context);
    }
  }
}
