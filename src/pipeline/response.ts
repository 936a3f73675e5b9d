/** What a client of `/graphql` is sent for an outcome, whichever way the operation was run. */
import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { deprecationHeaders, earliest } from '../core/deprecation.ts';
import { type ApiError, type ErrorCode, errorHeaders, REPLAYED } from '../core/errors.ts';
import { weightOf } from '../core/media-types.ts';
import { shownDeprecation } from '../graphql/deprecations.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Context } from './context.ts';
import { formattedErrors, mistakesOf, type OnInternalError } from './result.ts';
import type { Outcome } from './run.ts';

export interface GraphQLResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly GraphQLFormattedError[] | undefined;
  readonly extensions: Record<string, unknown> | undefined;
}

/** @param accept the header of the request. */
export function responseTo(
  outcome: Outcome<unknown>,
  context: Context,
  accept: string | undefined,
  onInternalError: OnInternalError,
): GraphQLResponse {
  const { refusal, executed, operation, deprecations } = outcome;
  const errors = refusal
    ? mistakesOf(refusal, onInternalError)
    : executed && operation && formattedErrors(executed.result, operation.nullability, onInternalError);
  const failure = refusal ?? laterOf(executed?.result);
  const deprecation = earliest(deprecations);
  return {
    status: failure ? statusOf(failure, accept) : 200,
    headers: {
      ...(operation?.selectsSecret && { 'cache-control': 'no-store' }),
      ...(failure && errorHeaders(failure)),
      ...(deprecation && deprecationHeaders(deprecation, context.basePath)),
      ...(context.replayed.length > 0 && { [REPLAYED]: 'true' }),
    },
    errors,
    extensions: extensionsOf(outcome, context),
  };
}

function extensionsOf({ deprecations }: Outcome<unknown>, context: Context) {
  const cost = context.spending.report;
  const { replayed } = context;
  if (!cost && deprecations.length === 0 && replayed.length === 0) return undefined;
  return {
    ...(cost && { cost }),
    ...(deprecations.length > 0 && { deprecations: deprecations.map(shownDeprecation) }),
    ...(replayed.length > 0 && { idempotentReplayed: replayed }),
  };
}

/** A response as a value, of an operation that was run by graphql-js. */
export function resultOf(
  { executed, refusal }: Outcome<unknown>,
  { errors, extensions }: GraphQLResponse,
): FormattedExecutionResult<Record<string, unknown>, Record<string, unknown>> {
  const data = refusal && LACKING.has(refusal.code) ? null : executed?.result.data;
  return {
    ...(errors && { errors }),
    ...(data !== undefined && { data }),
    ...(extensions && { extensions }),
  };
}

/** The text of a response, in the order of members that Apollo Server writes. */
export function writeResponse(outcome: Outcome<unknown>, response: GraphQLResponse): string {
  const { errors, extensions } = response;
  const { data } = resultOf(outcome, response);
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

/** What a client of the older media type is told with a 200, since it takes other statuses for a fault in between. */
const WITHIN_200: ReadonlySet<ErrorCode> = new Set([
  'graphql_parse_failed',
  'graphql_validation_failed',
  'invalid_variables',
]);

/** What a caller lacks for all of an operation is said as for a part of it: with a 200 and without data. */
const LACKING: ReadonlySet<ErrorCode> = new Set(['insufficient_scope', 'insufficient_role']);

/**
 * A request that was refused before it ran has the status of its error, as on every other door. The exception is GraphQL
 * over HTTP's own (section 6.4.1): a client that asks for `application/json` by name, and not as much for the newer media type.
 */
export function statusOf({ code, status }: ApiError, accept: string | undefined): number {
  if (LACKING.has(code)) return 200;
  if (!WITHIN_200.has(code)) return status;
  const isOlder =
    weightOf('application/json', accept) > weightOf('application/graphql-response+json', accept);
  return isOlder ? 200 : status;
}

/**
 * What ran is a 200 of GraphQL's, unless the caller is to wait: proxies and clients know 429, and 503 where there is nothing at
 * all to show for the time.
 */
function laterOf(result: ExecutionResult | undefined): ApiError | undefined {
  if (!result?.errors) return undefined;
  const isEmpty = Object.values(result.data ?? {}).every((value) => value === null);
  return result.errors
    .map((error) => toApiError(error))
    .find(({ code }) => code === 'rate_limited' || (code === 'timeout' && isEmpty));
}
