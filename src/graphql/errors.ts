import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** What the executors and Apollo Server call their own refusals, and what they are called here. */
const CODE_OF_LIBRARY_CODE: Readonly<Record<string, ErrorCode>> = {
  GRAPHQL_PARSE_FAILED: 'graphql_parse_failed',
  GRAPHQL_VALIDATION_FAILED: 'graphql_validation_failed',
  BAD_USER_INPUT: 'invalid_variables',
  OPERATION_RESOLUTION_FAILURE: 'operation_not_found',
  BAD_REQUEST: 'malformed_request',
};

/**
 * The error of the catalogue behind whatever was thrown. What is not meant for a client becomes `internal_error`, with
 * the original as its cause, which the door logs.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof GraphQLError) {
    // An error of graphql-jit has no extensions, whatever the type says.
    const code = CODE_OF_LIBRARY_CODE[String(error.extensions?.['code'])];
    if (code) return new ApiError(code, { message: shortened(error.message) });
    const { originalError } = error;
    // What graphql-js throws at a null where a variable's type admits one and the argument's does not. It names the node
    // of the argument; what it throws at a value that we gave it names none.
    if (originalError instanceof GraphQLError && originalError.nodes && !originalError.originalError) {
      return new ApiError('invalid_variables', { message: shortened(originalError.message) });
    }
    if (originalError) return toApiError(originalError);
    // Apollo Server's word on the request itself. It names no place.
    if (!error.path && !error.nodes)
      return new ApiError('malformed_request', { message: shortened(error.message) });
  }
  return new ApiError('internal_error', { cause: error });
}

/** A message within its bound. It may quote a value of the client's, of any length. */
export function shortened(message: string): string {
  const { errorMessageLength: longest } = LIMITS;
  return message.length > longest ? `${message.slice(0, longest)}…` : message;
}

/** An error as GraphQL responses carry it: the code, and details where there are some, in `extensions`. */
export function formatError(error: ApiError, at?: GraphQLFormattedError): GraphQLFormattedError {
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
