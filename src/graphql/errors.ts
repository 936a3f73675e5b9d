import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** The codes of executors and Apollo Server for their own errors, with those of the catalogue. */
const CODE_OF_LIBRARY_CODE: Readonly<Record<string, ErrorCode>> = {
  GRAPHQL_PARSE_FAILED: 'graphql_parse_failed',
  GRAPHQL_VALIDATION_FAILED: 'graphql_validation_failed',
  BAD_USER_INPUT: 'invalid_variables',
  OPERATION_RESOLUTION_FAILURE: 'operation_not_found',
  BAD_REQUEST: 'malformed_request',
};

/** Converts anything thrown to an error of the catalogue: `internal_error`, with the original as its cause, for what clients must not see. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof GraphQLError) {
    // Errors of graphql-jit have no extensions, contrary to their type.
    const code = CODE_OF_LIBRARY_CODE[String(error.extensions?.['code'])];
    if (code) return new ApiError(code, { message: shortened(error.message) });
    const { originalError } = error;
    // graphql-js throws this error for a null that the variable's type allows and the argument's does not. It has the node
    // of the argument, unlike the error for an invalid value from a resolver.
    if (originalError instanceof GraphQLError && originalError.nodes && !originalError.originalError) {
      return new ApiError('invalid_variables', { message: shortened(originalError.message) });
    }
    if (originalError) return toApiError(originalError);
    // The same for `@skip` and `@include` of root fields, which graphql-js evaluates before it runs any field.
    if (!error.path && error.nodes)
      return new ApiError('invalid_variables', { message: shortened(error.message) });
    // An error of Apollo Server about the request itself, which has neither a path nor nodes.
    if (!error.path) return new ApiError('malformed_request', { message: shortened(error.message) });
  }
  return new ApiError('internal_error', { cause: error });
}

/** Shortens a message to `LIMITS.errorMessageLength`, since it may quote a value of any length from the client. */
export function shortened(message: string): string {
  const { errorMessageLength: longest } = LIMITS;
  return message.length > longest ? `${message.slice(0, longest)}…` : message;
}

/** Formats an error for a GraphQL response: the code, and details if there are any, are in `extensions`. */
export function formatError(
  error: ApiError,
  at?: Pick<GraphQLFormattedError, 'locations' | 'path'>,
): GraphQLFormattedError {
  const { code, message, details, retryAfter, oldestCursor } = error;
  return {
    message,
    ...(at?.locations && { locations: at.locations }),
    ...(at?.path && { path: at.path }),
    extensions: {
      code,
      ...(details && { details }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(oldestCursor !== undefined && { oldestCursor }),
    },
  };
}
