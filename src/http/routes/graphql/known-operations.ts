/** GraphQL over HTTP for operations with a known document, which run compiled and without Apollo Server. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isRecord } from '../../../core/record.ts';
import { type NamedDocument, textOf } from '../../../pipeline/admission/named.ts';
import type { Variables } from '../../../pipeline/compile.ts';
import type { Operation } from '../../../pipeline/operation.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import { responseTo, writeResponse } from '../../../pipeline/response.ts';
import type { OnInternalError } from '../../../pipeline/result.ts';
import { runOperation } from '../../../pipeline/run.ts';
import type { OpenContext } from '../../hooks/request-context.ts';
import { headOf, statusOf } from './response-head.ts';

/** Responds to a request; undefined for a new document or an unusual request, which Apollo Server must handle. */
export type RespondIfKnown = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | undefined;

export function createKnownOperations(
  operations: Operations,
  openContext: OpenContext,
  onInternalError: OnInternalError,
): RespondIfKnown {
  return (request, reply) => {
    const { accept } = request.headers;
    const contentType = contentTypeFor(accept);
    const known = contentType && knownOperation(request, operations);
    if (!known) return undefined;
    const { find, variables } = known;
    const respond = async () => {
      const opened = openContext(request, reply);
      const context = opened instanceof Promise ? await opened : opened;
      const outcome = await runOperation(
        {
          door: 'graphql',
          isSafe: request.method === 'GET',
          find,
          readVariables: (operation) => operation.checked(variables),
        },
        context,
      );
      const response = responseTo(outcome, context, onInternalError);
      const { status, headers } = headOf(outcome, context, (failure) => statusOf(failure, accept));
      reply.code(status).headers(headers).type(contentType);
      return reply.send(writeResponse(outcome, response));
    };
    return respond();
  };
}

interface KnownOperation {
  /** Returns the operation, or throws its known error. */
  readonly find: () => Operation;
  readonly variables: Variables;
}

function knownOperation(request: FastifyRequest, operations: Operations): KnownOperation | undefined {
  const message = request.method === 'GET' ? messageInAddress(request) : request.body;
  if (!isRecord(message)) return undefined;
  const { operationName, variables = null, extensions = null } = message;
  if (operationName != null && typeof operationName !== 'string') return undefined;
  if (variables !== null && !isRecord(variables)) return undefined;
  if (extensions !== null && !isRecord(extensions)) return undefined;
  try {
    const text = textOf(message, operations);
    const operation = text === undefined ? undefined : operations.known(text, operationName);
    return operation && { find: () => operation, variables: variables ?? {} };
  } catch (error) {
    const find = () => {
      throw error;
    };
    return { find, variables: {} };
  }
}

/** Reads the operation in the query string of a GET (GraphQL over HTTP, section 6.2). */
function messageInAddress({ query, headers }: FastifyRequest): NamedDocument | undefined {
  const { variables, extensions, ...others } = query as Readonly<Record<string, unknown>>;
  if (headers['content-type'] !== undefined) return undefined;
  try {
    return { ...others, variables: parsed(variables), extensions: parsed(extensions) } as NamedDocument;
  } catch {
    // Not JSON: Apollo Server refuses it.
    return undefined;
  }
}

const parsed = (text: unknown): unknown => (text === undefined ? undefined : JSON.parse(String(text)));

/** The media types with their parameter: a type without it would not match if a client names the parameter in Accept. */
const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

/** Maximum number of Accept values in the cache: clients send the same few. */
const KEPT = 100;

const types = new Map<string, string | undefined>();

/** Returns the content type of the response, undefined if the client accepts none of GraphQL's media types. */
function contentTypeFor(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '') return JSON_TYPE;
  if (types.has(accept)) return types.get(accept);
  const type = new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, GRAPHQL_TYPE]);
  if (types.size >= KEPT) types.clear();
  types.set(accept, type);
  return type;
}
