/** The status and headers of the response to an outcome (GraphQL over HTTP, section 6.4). */
import type { ExecutionResult } from 'graphql';
import { earliest } from '../../../core/deprecation.ts';
import type { ApiError, ErrorCode } from '../../../core/errors.ts';
import { toApiError } from '../../../graphql/errors.ts';
import type { Context } from '../../../pipeline/context.ts';
import { LACKS_PERMISSION } from '../../../pipeline/response.ts';
import type { Outcome } from '../../../pipeline/steps.ts';
import { deprecationHeaders } from '../../headers/deprecation.ts';
import { errorHeaders, REPLAYED } from '../../headers/errors.ts';
import { POSITION } from '../../headers/portico-position.ts';
import { weightOf } from '../../negotiation.ts';

export interface ResponseHead {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the status and headers of the response.
 *
 * @param statusFor the status of a failure: {@link statusOf} with the header Accept of the request, or its own one for streams.
 */
export function headOf(
  { refusal, executed, operation, deprecations }: Outcome<unknown>,
  { basePath, replayed, written }: Pick<Context, 'basePath' | 'replayed' | 'written'>,
  statusFor: (failure: ApiError) => number,
): ResponseHead {
  const failure = refusal ?? laterOf(executed?.result);
  const status = failure ? statusFor(failure) : 200;
  const deprecation = earliest(deprecations);
  return {
    status,
    headers: {
      ...(operation?.selectsSecret && { 'cache-control': 'no-store' }),
      ...(failure && status !== 200 && errorHeaders(failure)),
      ...(deprecation && deprecationHeaders(deprecation, basePath)),
      ...(replayed.length > 0 && { [REPLAYED]: 'true' }),
      ...(written !== undefined && { [POSITION]: written }),
    },
  };
}

/** Errors with status 200 for clients of the older media type, which interpret other statuses as a failure of the network. */
const WITHIN_200: ReadonlySet<ErrorCode> = new Set([
  'graphql_parse_failed',
  'graphql_validation_failed',
  'invalid_variables',
]);

/**
 * Returns the status of a request that was refused before it ran: that of its error, as at all other doors. GraphQL over HTTP has
 * an exception (section 6.4.1): clients that name `application/json` in Accept, and prefer it to the newer media type.
 */
export function statusOf({ code, status }: ApiError, accept: string | undefined): number {
  if (LACKS_PERMISSION.has(code)) return 200;
  if (!WITHIN_200.has(code)) return status;
  const isOlder =
    weightOf('application/json', accept) > weightOf('application/graphql-response+json', accept);
  return isOlder ? 200 : status;
}

/**
 * Returns the error that determines the status of an executed operation, which otherwise has status 200. Proxies and clients
 * understand that they must wait by 429, and by 503 if there is no data at all.
 */
function laterOf(result: ExecutionResult | undefined): ApiError | undefined {
  if (!result?.errors) return undefined;
  const isEmpty = Object.values(result.data ?? {}).every((value) => value === null);
  return result.errors
    .map((error) => toApiError(error))
    .find(({ code }) => code === 'rate_limited' || (code === 'timeout' && isEmpty));
}
