import type { FastifyRequest } from 'fastify';
import { ApiError, malformed } from '../../../core/errors.ts';
import { ambiguitiesIn } from '../../../core/json-text.ts';
import { isRecord } from '../../../core/record.ts';
import type { OperationMessage } from '../../../subscriptions/operation-runner.ts';
import { isSafeMethod } from '../methods.ts';

/**
 * Reads the operation in a request (GraphQL over HTTP, section 5.1): in the body of a POST, or in the query string of a GET or HEAD.
 * Single responses and streams read it here, and only here.
 *
 * @throws ApiError `malformed_request`; `unsupported_media_type` for a GET that declares a body of another type than JSON.
 */
export function readMessage(request: FastifyRequest): OperationMessage {
  const isSafe = isSafeMethod(request.method);
  const parts = isSafe ? parametersIn(request) : request.body;
  if (!isRecord(parts)) throw malformed('Send one operation, as an object with its members.');
  const { query, documentId, operationName, variables, extensions } = parts;
  if (query != null && typeof query !== 'string') throw malformed('Send the document as text in "query".');
  if (operationName != null && typeof operationName !== 'string')
    throw malformed('"operationName" must be a string.');
  if (variables != null && !isRecord(variables)) throw malformed('"variables" must be an object.');
  if (extensions != null && !isRecord(extensions)) throw malformed('"extensions" must be an object.');
  return { isSafe, query, documentId, operationName, variables, extensions };
}

/** The query parameters of a GET (GraphQL over HTTP, section 6.2). */
const PARAMETERS = ['query', 'documentId', 'operationName', 'variables', 'extensions'];

function parametersIn({ query, headers, mediaType }: FastifyRequest): Readonly<Record<string, unknown>> {
  if (headers['content-type'] !== undefined && mediaType !== 'application/json')
    throw new ApiError('unsupported_media_type');
  // Fastify parses the query string, and a repeated parameter into a list.
  const given = query as Readonly<Record<string, unknown>>;
  for (const name of PARAMETERS)
    if (Array.isArray(given[name])) throw malformed(`"${name}" must appear only once.`);
  return {
    ...given,
    // An empty name counts as absent (section 6.2).
    operationName: given['operationName'] || undefined,
    variables: parsed(given['variables'], 'variables'),
    extensions: parsed(given['extensions'], 'extensions'),
  };
}

/** Parses a parameter. An empty one counts as absent. */
function parsed(text: unknown, name: string): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const { repeated, inexact } = ambiguitiesIn(text);
    if (repeated.length + inexact.length === 0) return value;
  } catch (cause) {
    throw malformed(`"${name}" is not valid JSON.`, cause);
  }
  throw malformed(`"${name}" is ambiguous JSON.`);
}
