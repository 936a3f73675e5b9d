/** The GraphQL response to an outcome, independent of the executor. */
import type {
  ExecutionResult,
  FormattedExecutionResult,
  GraphQLError,
  GraphQLFormattedError,
  SourceLocation,
} from 'graphql';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { shownDeprecation } from '../graphql/deprecations.ts';
import { formatError, shortened, toApiError } from '../graphql/errors.ts';
import { InvalidDocument } from './admission/documents.ts';
import type { Caller, Context, Services } from './context.ts';
import type { DepthOfNull, Path } from './response-fields.ts';
import type { Outcome } from './run.ts';

export interface GraphQLResponse {
  readonly errors: readonly GraphQLFormattedError[] | undefined;
  readonly extensions: Record<string, unknown> | undefined;
}

/** Returns the members of a response other than its data. */
export function responseTo(outcome: Outcome<unknown>, context: Context): GraphQLResponse {
  const { refusal, executed, operation } = outcome;
  const errors = refusal
    ? errorsOfRefusal(refusal, context)
    : executed && operation && formattedErrors(executed.result, operation.depthOfNull, context);
  return { errors, extensions: extensionsOf(outcome, context) };
}

function extensionsOf({ deprecations }: Outcome<unknown>, context: Context) {
  const cost = context.requestCost.report;
  const { replayed, generatedKeys, written } = context;
  const isPlain =
    deprecations.length === 0 && replayed.length === 0 && !generatedKeys && written === undefined;
  if (isPlain) return cost && { cost };
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

type Reporting = Pick<Services, 'noteInternalError'> & Pick<Caller, 'requestId'>;

/** A subscription that its resolver refused, with all errors. Its code and message are those of the first error. */
export class RefusedSubscription extends ApiError {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    const first = toApiError(errors[0]);
    const { code, message, details, retryAfter, oldestCursor } = first;
    super(code, { message, cause: first, details, retryAfter, oldestCursor });
    this.errors = errors;
  }
}

/** The errors of a refused operation. Those of an invalid document have their locations in it. */
function errorsOfRefusal(refusal: ApiError, reporting: Reporting): GraphQLFormattedError[] {
  if (refusal instanceof RefusedSubscription) {
    return refusal.errors.map((error) => located(error, reporting));
  }
  if (!(refusal instanceof InvalidDocument)) return [formatError(refusal)];
  const { code, mistakes } = refusal;
  return mistakes.map(({ message, locations }) =>
    formatError(new ApiError(code, { message: shortened(message) }), { ...(locations && { locations }) }),
  );
}

/**
 * The errors of a result in wire format. Executors report them in the order in which they occurred, which depends on
 * the database; this function sorts them in the order of the response. If an error made a value null, errors within that value are
 * omitted, and of several errors that made the same value null, one is reported (GraphQL specification, section 6.4.4).
 */
export function formattedErrors(
  { data, errors }: ExecutionResult,
  depthOfNull: DepthOfNull,
  reporting: Reporting,
): GraphQLFormattedError[] | undefined {
  if (!errors) return undefined;
  const reported = errors.length === 1 ? errors : onePerNull(data, errors, depthOfNull);
  return reported.map((error) => located(error, reporting));
}

function located(thrown: GraphQLError, { noteInternalError, requestId }: Reporting): GraphQLFormattedError {
  const error = toApiError(thrown);
  if (error.code === 'internal_error') noteInternalError(error.cause, requestId);
  return formatError(error, {
    ...(thrown.locations && { locations: distinct(thrown.locations) }),
    ...(thrown.path && { path: thrown.path }),
  });
}

/** Removes duplicate locations: expanding a fragment repeats its fields, which graphql-js has only once. */
const distinct = (locations: readonly SourceLocation[]): readonly SourceLocation[] =>
  locations.filter(
    ({ line, column }, index) =>
      locations.findIndex((each) => each.line === line && each.column === column) === index,
  );

function onePerNull(
  data: unknown,
  errors: readonly GraphQLError[],
  depthOfNull: DepthOfNull,
): readonly GraphQLError[] {
  const ranked = errors.flatMap((error) => {
    const { path = [] } = error;
    const order = positionOfNull(data, path);
    // The value that this error makes null may be within a value that another error made null.
    return depthOfNull(path) > order.length ? [] : [{ error, order }];
  });
  ranked.sort((one, other) => compare(one.order, other.order));
  return ranked
    .filter(({ order }, index) => index === 0 || compare(order, ranked[index - 1]?.order ?? []) !== 0)
    .map(({ error }) => error);
}

/** The indexes of the members and elements that lead from `data` to the first null on a path. */
function positionOfNull(data: unknown, path: Path): number[] {
  const indexes: number[] = [];
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) break;
    indexes.push(typeof step === 'number' ? step : Object.keys(value).indexOf(step));
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return indexes;
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, position] of one.entries()) {
    const difference = position - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
