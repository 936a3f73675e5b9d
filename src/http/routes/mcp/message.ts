/** Messages of agents, as far as they matter before the library validates them. */
import { ApiError, malformed } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import { isRecord } from '../../../core/record.ts';
import type { ToolArguments } from '../../../rest/tools/arguments.ts';

/** Takes the arguments of a tool out of a message, since its operation validates them. */
export function withoutArguments(body: unknown): { message: unknown; args: ToolArguments } {
  if (!isRecord(body) || !isRecord(body['params'])) return { message: body, args: {} };
  const { arguments: args, ...params } = body['params'];
  return isRecord(args) ? { message: { ...body, params }, args } : { message: body, args: {} };
}

/**
 * Returns the error of a message that the library must not see: no message, a batch, or one with more than `LIMITS.agentMessageValues`,
 * since validating these and describing their mistakes would take much longer than reading them.
 *
 * @param message without the arguments of a tool.
 */
export function problemWith(message: unknown): ApiError | undefined {
  if (message === undefined) return new ApiError('invalid_json');
  if (Array.isArray(message)) return malformed('Send one message per request, not a batch.');
  if (countValues(message, 0) <= LIMITS.agentMessageValues) return undefined;
  return malformed(`A message may have ${LIMITS.agentMessageValues} values besides the arguments of a tool.`);
}

/** Counts the values in a JSON value, up to one more than are permitted. */
function countValues(value: unknown, before: number): number {
  let count = before + 1;
  if (typeof value !== 'object' || value === null) return count;
  for (const member of Object.values(value)) {
    if (count > LIMITS.agentMessageValues) break;
    count = countValues(member, count);
  }
  return count;
}

/** Returns the name of the tool that a message calls. The library validates the rest of it. */
export function calledTool(message: unknown): string | undefined {
  if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params']))
    return undefined;
  const { name } = message['params'];
  return typeof name === 'string' ? name : undefined;
}
