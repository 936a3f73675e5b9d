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
import { ApiError } from '../../errors.ts';
import type { Door } from '../../metrics.ts';
import { InvalidDocument } from '../admission/documents.ts';
import type { Gate } from '../admission/gate.ts';
import { mistakesOf } from '../admission/plugin.ts';
import type { Context, Services } from '../context.ts';
import { deprecationsUsed } from '../deprecations.ts';
import { formatError } from '../errors.ts';
import type { StreamSession } from './follower.ts';
import { createStreamOperation, formattedResult, type StreamOperation } from './operation.ts';
import { RefusedSubscription, type Stream, type Streams } from './streams.ts';

/** What a client sends (GraphQL over HTTP, section 5.1). */
export interface OperationMessage {
  readonly query: string;
  /** Whether it came in a way that changes nothing (RFC 9110, section 9.2.1): mutations are refused then. */
  readonly isSafe?: boolean;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

interface Ran {
  readonly document: DocumentNode;
  readonly operationName: string | null;
}

/** What became of an operation: it was refused, it has run, or it is let in and begins when it is started. */
export type Outcome =
  | { readonly errors: readonly GraphQLFormattedError[]; readonly cause: ApiError | undefined }
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

  const begin: Operations['begin'] = async (message, context, door, session, resumeAfter) => {
    const { query, operationName = null, variables } = message;
    const reading = gate.read(query);
    const asked = reading instanceof ApiError ? null : getOperationAST(reading, operationName);
    if (message.isSafe && asked?.operation === OperationTypeNode.MUTATION) {
      return refusalOf(
        new ApiError('method_not_allowed', { message: 'Send mutations with POST.' }),
        onInternalError,
      );
    }
    if (asked?.operation !== OperationTypeNode.SUBSCRIPTION) {
      return run(graphql, message, context, reading instanceof ApiError ? undefined : reading);
    }
    try {
      const { document, operation } = await gate.admit({ door, reading, operationName, variables }, context);
      const used = deprecationsUsed(schema, document, operation, variables ?? {}).map(
        ({ coordinate }) => coordinate,
      );
      if (used.length > 0) context.noteDeprecatedUse(context.principal, used);
      if (!session) throw context.refusal ?? new ApiError('unauthenticated');
      const stream = await streams.open(
        { operation: prepared(document, operation), variables: variables ?? {}, resumeAfter },
        session,
      );
      return { document, operationName, stream };
    } catch (error) {
      return refusalOf(error, onInternalError);
    }
  };
  return { services, streams, begin };
}

/** Queries and mutations run as they do over HTTP, with the same steps before and after. */
async function run(
  graphql: ApolloServer<Context>,
  { query, operationName, variables, extensions }: OperationMessage,
  context: Context,
  document: DocumentNode | undefined,
): Promise<Outcome> {
  const { body } = await graphql.executeOperation(
    {
      query,
      ...(operationName != null && { operationName }),
      ...(variables != null && { variables: { ...variables } }),
      ...(extensions != null && { extensions: { ...extensions } }),
    },
    { contextValue: context },
  );
  if (body.kind !== 'single') throw new Error('No directive of the schema splits a result.');
  const { errors } = body.singleResult;
  if (!document || (errors && !('data' in body.singleResult)))
    return { errors: errors ?? [], cause: undefined };
  return { document, operationName: operationName ?? null, result: body.singleResult };
}

function refusalOf(error: unknown, onInternalError: (cause: unknown) => void): Outcome {
  if (error instanceof InvalidDocument) return { errors: mistakesOf(error), cause: error };
  if (error instanceof ApiError) return { errors: [formatError(error)], cause: error };
  if (!(error instanceof RefusedSubscription)) throw error;
  const result: ExecutionResult = { errors: error.errors };
  const { errors } = formattedResult(result, onInternalError);
  return { errors: errors as readonly GraphQLFormattedError[], cause: undefined };
}
