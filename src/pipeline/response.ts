/** The GraphQL response to an outcome, independent of the executor. */
import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '../core/errors.ts';
import { shownDeprecation } from '../graphql/deprecations.ts';
import type { Context } from './context.ts';
import { errorsOfRefusal, formattedErrors } from './result.ts';
import type { Outcome } from './run-state.ts';

export interface GraphQLResponse {
  readonly errors: readonly GraphQLFormattedError[] | undefined;
  readonly extensions: Record<string, unknown> | undefined;
}

/** Returns the members of a response other than its data. */
export function responseTo(outcome: Outcome<unknown>, context: Context): GraphQLResponse {
  const { refusal, executed, operation } = outcome;
  const errors = refusal
    ? errorsOfRefusal(refusal, context)
    : executed && operation && formattedErrors(executed.result, operation.nullability, context);
  return { errors, extensions: extensionsOf(outcome, context) };
}

function extensionsOf({ deprecations }: Outcome<unknown>, context: Context) {
  const cost = context.requestCost.report;
  const { replayed, generatedKeys, written } = context;
  const isPlain = deprecations.length === 0 && replayed.length === 0 && !generatedKeys;
  if (!cost && isPlain && written === undefined) return undefined;
  return {
    ...(cost && { cost }),
    ...(deprecations.length > 0 && { deprecations: deprecations.map(shownDeprecation) }),
    ...(replayed.length > 0 && { idempotentReplayed: replayed }),
    ...(generatedKeys && { idempotencyKeys: generatedKeys }),
    ...(written !== undefined && { position: written }),
  };
}

/** Returns a response as a value, for an operation that was run by graphql-js. */
export function resultOf(
  outcome: Outcome<unknown>,
  { errors, extensions }: GraphQLResponse,
): FormattedExecutionResult<Record<string, unknown>, Record<string, unknown>> {
  const data = dataOf(outcome);
  return {
    ...(errors && { errors }),
    ...(data !== undefined && { data }),
    ...(extensions && { extensions }),
  };
}

/** The `data` of a response: undefined if the operation did not run, null if its caller may not run it. */
const dataOf = ({ executed, refusal }: Outcome<unknown>): ExecutionResult['data'] =>
  refusal && LACKS_PERMISSION.has(refusal.code) ? null : executed?.result.data;

/** Writes a response as text, with its members in the order of Apollo Server. */
export function writeResponse(outcome: Outcome<unknown>, { errors, extensions }: GraphQLResponse): string {
  const data = dataOf(outcome);
  const { executed } = outcome;
  return `${writeMembers({
    errors: errors && JSON.stringify(errors),
    data: executed && data !== undefined ? executed.by.write(data) : data === null ? 'null' : undefined,
    extensions: extensions && JSON.stringify(extensions),
  })}\n`;
}

/** Writes an object whose members are JSON texts; undefined members are omitted. */
export function writeMembers(members: Readonly<Record<string, string | undefined>>): string {
  let text = '';
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) text += `${text === '' ? '{' : ','}"${name}":${value}`;
  }
  return `${text}}`;
}

/** Codes for which a refused operation gets the same form of response as a refused field: errors with `data: null`. */
export const LACKS_PERMISSION: ReadonlySet<ErrorCode> = new Set(['insufficient_scope', 'insufficient_role']);
