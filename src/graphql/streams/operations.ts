/** Operations that come through a door that can stream: each has a result at once, or goes on as a stream. */
import type { ApolloServer } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { monotonicTime } from '../../clock.ts';
import { ApiError, errorHeaders } from '../../errors.ts';
import type { Door, OperationType } from '../../metrics.ts';
import { InvalidDocument } from '../admission/documents.ts';
import type { Gate, OperationRequest } from '../admission/gate.ts';
import { type NamedDocument, textOf } from '../admission/named.ts';
import { mistakesOf } from '../admission/plugin.ts';
import type { Context, Services } from '../context.ts';
import { deprecationsUsed } from '../deprecations.ts';
import { formatError, toApiError } from '../errors.ts';
import type { StreamSession } from './follower.ts';
import { createStreamOperation, formattedResult, type StreamOperation } from './operation.ts';
import { RefusedSubscription, type Stream, type Streams } from './streams.ts';

/** What a client sends (GraphQL over HTTP, section 5.1). */
export interface OperationMessage extends NamedDocument {
  /** As the gate asks for it. */
  readonly isSafe?: boolean;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

interface Ran {
  readonly document: DocumentNode;
  readonly operationName: string | null;
}

/** Why an operation was refused, with the status and the headers that say so over HTTP. */
export interface Refused {
  readonly errors: readonly GraphQLFormattedError[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What became of an operation: it was refused, it has run, or it is let in and begins when it is started. */
export type Outcome =
  | Refused
  | (Ran & { readonly result: FormattedExecutionResult })
  | (Ran & { readonly stream: Stream });

export interface Operations {
  readonly services: Services;
  readonly streams: Streams;
  /** @param session of whoever is signed in; without one nothing can be followed. */
  begin(
    message: OperationMessage,
    context: Context,
    door: Door,
    session: StreamSession | undefined,
    resumeAfter?: string,
  ): Promise<Outcome>;
}

export interface OperationsOptions {
  readonly schema: GraphQLSchema;
  readonly gate: Gate;
  readonly graphql: ApolloServer<Context>;
  readonly services: Services;
  readonly streams: Streams;
  readonly onInternalError: (cause: unknown) => void;
}

export function createOperations(options: OperationsOptions): Operations {
  const { schema, gate, graphql, services, streams, onInternalError } = options;
  const known = new WeakMap<OperationDefinitionNode, StreamOperation>();

  const prepared = (document: DocumentNode, operation: OperationDefinitionNode): StreamOperation => {
    let made = known.get(operation);
    if (!made) {
      made = createStreamOperation({ schema, document, operation, onInternalError });
      known.set(operation, made);
    }
    return made;
  };

  /** The document's text. Where there is none, the caller pays for asking. */
  const findText = async (message: OperationMessage, context: Context): Promise<string> => {
    try {
      const query = textOf(message, gate);
      if (query === undefined) throw new ApiError('malformed_request', { message: NO_DOCUMENT });
      return query;
    } catch (error) {
      await gate.payForRefusal(error, context);
      throw error;
    }
  };

  /** Lets in a subscription, and refuses what may not run at all. */
  const follow = async (
    request: OperationRequest,
    context: Context,
    session: StreamSession | undefined,
    resumeAfter: string | undefined,
  ): Promise<Outcome> => {
    const { document, operation } = await gate.admit(request, context);
    const { operationName = null } = request;
    const variables = request.variables ?? {};
    const used = deprecationsUsed(schema, document, operation, variables).map(({ coordinate }) => coordinate);
    if (used.length > 0) context.noteDeprecatedUse(context.principal, used);
    if (!session) throw context.refusal ?? new ApiError('unauthenticated');
    const stream = await streams.open(
      { operation: prepared(document, operation), variables, resumeAfter },
      session,
    );
    return { document, operationName, stream };
  };

  const begin: Operations['begin'] = async (message, context, door, session, resumeAfter) => {
    const { operationName, variables, isSafe } = message;
    const began = monotonicTime();
    let type: OperationType = 'none';
    try {
      const query = await findText(message, context);
      const reading = await gate.read(query, context);
      const asked = reading instanceof ApiError ? null : getOperationAST(reading, operationName);
      type = asked?.operation ?? type;
      const runs = type === OperationTypeNode.QUERY || (type === OperationTypeNode.MUTATION && !isSafe);
      // Whoever runs an operation reads its document again, which takes no time for one that was let in.
      return reading instanceof ApiError || !runs
        ? await follow({ door, reading, isSafe, operationName, variables }, context, session, resumeAfter)
        : await run(graphql, { ...message, query }, context, reading);
    } catch (error) {
      const refused = refusalOf(error, onInternalError);
      const seconds = (monotonicTime() - began) / 1000;
      services.metrics.operation({ door, type, name: operationName, code: codeOf(refused), seconds });
      return refused;
    }
  };
  return { services, streams, begin };
}

const NO_DOCUMENT = 'Send the document as text in "query", or name one by "documentId" or by its hash.';

/** Queries and mutations run as they do over HTTP, with the same steps before and after. */
async function run(
  graphql: ApolloServer<Context>,
  { query, operationName, variables }: OperationMessage & { readonly query: string },
  context: Context,
  document: DocumentNode,
): Promise<Outcome> {
  const { body, http } = await graphql.executeOperation(
    {
      query,
      ...(operationName != null && { operationName }),
      ...(variables != null && { variables: { ...variables } }),
    },
    { contextValue: context },
  );
  if (body.kind !== 'single') throw new Error('No directive of the schema splits a result.');
  const { errors } = body.singleResult;
  // What did not run at all has no data, and the status and headers that Apollo Server would answer it with.
  if (errors && !('data' in body.singleResult)) {
    return { errors, status: http.status ?? 500, headers: Object.fromEntries(http.headers) };
  }
  return { document, operationName: operationName ?? null, result: body.singleResult };
}

function refusalOf(error: unknown, onInternalError: (cause: unknown) => void): Refused {
  if (error instanceof ApiError) {
    const errors = error instanceof InvalidDocument ? mistakesOf(error) : [formatError(error)];
    return refusedFor(error, errors);
  }
  if (!(error instanceof RefusedSubscription)) throw error;
  const result: ExecutionResult = { errors: error.errors };
  const { errors } = formattedResult(result, onInternalError);
  // What was formatted there has the form in which errors leave.
  return refusedFor(toApiError(error.errors[0]), errors as readonly GraphQLFormattedError[]);
}

const refusedFor = (error: ApiError, errors: Refused['errors']): Refused => ({
  errors,
  status: error.status,
  headers: errorHeaders(error),
});

/** Every error that leaves has a code of the catalogue. */
const codeOf = ({ errors }: Refused): string => String(errors[0]?.extensions?.['code']);
