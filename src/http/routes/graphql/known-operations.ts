/** GraphQL over HTTP for operations with a known document, which run compiled and without Apollo Server. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../../pipeline/operation.ts';
import type { Operations } from '../../../pipeline/operations.ts';
import { responseTo, writeResponse } from '../../../pipeline/response.ts';
import { runOperation } from '../../../pipeline/run.ts';
import type { OperationMessage } from '../../../subscriptions/operation-runner.ts';
import type { OpenContext } from '../../hooks/request-context.ts';
import { headOf, statusOf } from './response-head.ts';

/** Responds to an operation that was read from a request. @param contentType of the response. */
export type Respond<T> = (
  message: OperationMessage,
  contentType: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => T;

/** Creates the responder to known operations, which returns undefined for a new document. */
export function createKnownOperations(
  operations: Operations,
  openContext: OpenContext,
): Respond<Promise<FastifyReply> | undefined> {
  return (message, contentType, request, reply) => {
    const find = finderOf(message, operations);
    return find && respond(find, message, contentType, request, reply);
  };

  async function respond(
    find: () => Operation,
    { isSafe = false, variables }: OperationMessage,
    contentType: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const opened = openContext(request, reply);
    const context = opened instanceof Promise ? await opened : opened;
    const outcome = await runOperation(
      {
        door: 'graphql',
        isSafe,
        find,
        readVariables: (operation) => operation.checked(variables ?? {}),
      },
      context,
    );
    const response = responseTo(outcome, context);
    const { accept } = request.headers;
    const { status, headers } = headOf(outcome, context, (failure) => statusOf(failure, accept));
    reply.code(status).headers(headers).type(contentType);
    return reply.send(writeResponse(outcome, response));
  }
}

/** Returns a function that returns the operation or throws its known error; undefined for a new document. */
function finderOf(message: OperationMessage, operations: Operations): (() => Operation) | undefined {
  try {
    const operation = operations.known(operations.textOf(message), message.operationName);
    return operation && (() => operation);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
