/** Status and headers of the GraphQL response to an outcome (GraphQL over HTTP, section 6.4). */
import type { ExecutionResult } from 'graphql';
import { earliest } from '../../../core/deprecation.ts';
import type { ApiError, ErrorCode } from '../../../core/errors.ts';
import { toApiError } from '../../../graphql/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import { LACKS_PERMISSION } from '../../../pipeline/response.ts';
import type { Outcome } from '../../../pipeline/run.ts';
import { deprecationHeaders } from '../../headers/deprecation.ts';
import { errorHeaders, REPLAYED } from '../../headers/errors.ts';
import { POSITION } from '../../headers/position.ts';
import { weightOf } from '../../negotiation.ts';

export interface ResponseHead {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @param accept the header of the request. */
export function headOf(
  { refusal, executed, operation, deprecations }: Outcome<unknown>,
  { basePath, replayed, written }: Pick<Context, 'basePath' | 'replayed' | 'written'>,
  accept: string | undefined,
): ResponseHead {
  const failure = refusal ?? laterOf(executed?.result);
  const deprecation = earliest(deprecations);
  return {
    status: failure ? statusOf(failure, accept) : 200,
    headers: {
      ...(operation?.selectsSecret && { 'cache-control': 'no-store' }),
      ...(failure && !LACKS_PERMISSION.has(failure.code) && errorHeaders(failure)),
      ...(deprecation && deprecationHeaders(deprecation, basePath)),
      ...(replayed.length > 0 && { [REPLAYED]: 'true' }),
      ...(written !== undefined && { [POSITION]: written }),
    },
  };
}

/** Errors that a client of the older media type gets with a 200, since it takes other statuses for a failure of the network. */
const WITHIN_200: ReadonlySet<ErrorCode> = new Set([
  'graphql_parse_failed',
  'graphql_validation_failed',
  'invalid_variables',
]);

/**
 * A request that was refused before it ran has the status of its error, as on every other door. The exception is GraphQL
 * over HTTP's own (section 6.4.1): a client that asks for `application/json` by name, and not as much for the newer media type.
 */
export function statusOf({ code, status }: ApiError, accept: string | undefined): number {
  if (LACKS_PERMISSION.has(code)) return 200;
  if (!WITHIN_200.has(code)) return status;
  const isOlder =
    weightOf('application/json', accept) > weightOf('application/graphql-response+json', accept);
  return isOlder ? 200 : status;
}

/**
 * An operation that ran has status 200, unless the caller is to wait: proxies and clients know 429, and 503 where there is no
 * data at all.
 */
function laterOf(result: ExecutionResult | undefined): ApiError | undefined {
  if (!result?.errors) return undefined;
  const isEmpty = Object.values(result.data ?? {}).every((value) => value === null);
  return result.errors
    .map((error) => toApiError(error))
    .find(({ code }) => code === 'rate_limited' || (code === 'timeout' && isEmpty));
}
