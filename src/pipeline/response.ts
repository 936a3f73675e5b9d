/** The GraphQL response to an outcome, whichever way the operation was run. */
import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '../core/errors.ts';
import { shownDeprecation } from '../graphql/deprecations.ts';
import type { Context } from './context.ts';
import { errorsOfRefusal, formattedErrors, type OnInternalError } from './result.ts';
import type { Outcome } from './run.ts';

export interface GraphQLResponse {
  readonly errors: readonly GraphQLFormattedError[] | undefined;
  readonly extensions: Record<string, unknown> | undefined;
}

/** The members of a response beside its data. */
export function responseTo(
  outcome: Outcome<unknown>,
  context: Context,
  onInternalError: OnInternalError,
): GraphQLResponse {
  const { refusal, executed, operation } = outcome;
  const errors = refusal
    ? errorsOfRefusal(refusal, onInternalError)
    : executed && operation && formattedErrors(executed.result, operation.nullability, onInternalError);
  return { errors, extensions: extensionsOf(outcome, context) };
}

function extensionsOf({ deprecations }: Outcome<unknown>, context: Context) {
  const cost = context.requestCost.report;
  const { replayed, written } = context;
  if (!cost && deprecations.length === 0 && replayed.length === 0 && written === undefined) return undefined;
  return {
    ...(cost && { cost }),
    ...(deprecations.length > 0 && { deprecations: deprecations.map(shownDeprecation) }),
    ...(replayed.length > 0 && { idempotentReplayed: replayed }),
    ...(written !== undefined && { position: written }),
  };
}

/** A response as a value, of an operation that was run by graphql-js. */
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

/** Undefined for an operation that did not run, and null for one that its caller may not run. */
const dataOf = ({ executed, refusal }: Outcome<unknown>): ExecutionResult['data'] =>
  refusal && LACKS_PERMISSION.has(refusal.code) ? null : executed?.result.data;

/** The text of a response, in the order of members that Apollo Server writes. */
export function writeResponse(outcome: Outcome<unknown>, { errors, extensions }: GraphQLResponse): string {
  const data = dataOf(outcome);
  const { executed } = outcome;
  return `${writeMembers({
    errors: errors && JSON.stringify(errors),
    data: executed && data !== undefined ? executed.write(data) : data === null ? 'null' : undefined,
    extensions: extensions && JSON.stringify(extensions),
  })}\n`;
}

/** An object of members that are JSON already; those that are undefined are left out. */
export function writeMembers(members: Readonly<Record<string, string | undefined>>): string {
  let text = '';
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) text += `${text === '' ? '{' : ','}"${name}":${value}`;
  }
  return `${text}}`;
}

/** A caller that lacks a right for the whole operation gets the same form as for a part of it: errors beside `data: null`. */
export const LACKS_PERMISSION: ReadonlySet<ErrorCode> = new Set(['insufficient_scope', 'insufficient_role']);
