import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { isAmbiguous } from '../../../core/json-text.ts';

/** The query parameters of a GET (GraphQL over HTTP, section 6.2), and whether their values are JSON. */
const PARAMETERS = {
  query: false,
  documentId: false,
  operationName: false,
  variables: true,
  extensions: true,
};

/**
 * Refuses an ambiguous query string.
 *
 * @throws ApiError `malformed_request`.
 */
export function refuseAmbiguousAddress({ method, query }: FastifyRequest): void {
  if (method !== 'GET') return;
  // Fastify parses a repeated parameter into a list.
  const given = query as Readonly<Record<string, unknown>>;
  for (const [name, isJson] of Object.entries(PARAMETERS)) {
    const value = given[name];
    if (Array.isArray(value)) throw malformed(`"${name}" must appear only once.`);
    if (isJson && typeof value === 'string' && isAmbiguous(value))
      throw malformed(`"${name}" is ambiguous JSON.`);
  }
}

const malformed = (message: string) => new ApiError('malformed_request', { message });
