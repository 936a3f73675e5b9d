/** Runs operations of doors that can stream: each has either one response or a stream of results. */
import type { GraphQLSchema } from 'graphql';
import { ApiError } from '../core/errors.ts';
import { memberOf } from '../core/json.ts';
import type { Door } from '../observability/metrics.ts';
import type { Variables } from '../pipeline/compile.ts';
import { type Context, readPosition, type Services } from '../pipeline/context.ts';
import type { Operation } from '../pipeline/operation.ts';
import type { NamedDocument, Operations } from '../pipeline/operations.ts';
import { type GraphQLResponse, responseTo } from '../pipeline/response.ts';
import { type Outcome, runOperation } from '../pipeline/run.ts';
import type { StreamSession } from './follower.ts';
import type { Stream } from './stream.ts';
import { createStreamOperation, type StreamOperation } from './stream-operation.ts';
import type { StreamRegistry } from './stream-registry.ts';

/** What a client sends (GraphQL over HTTP, section 5.1). */
export interface OperationMessage extends NamedDocument {
  /** Whether the request was made by a safe method, which must not change anything. */
  readonly isSafe?: boolean;
  readonly operationName?: string | null | undefined;
  readonly variables?: Variables | null | undefined;
}

/** A stream to start, or the complete response. */
type StreamStart =
  | { readonly stream: Stream }
  | { readonly outcome: Outcome<Stream>; readonly response: GraphQLResponse };

export type OperationRunner = ReturnType<typeof createOperationRunner>;

interface OperationRunnerOptions {
  readonly schema: GraphQLSchema;
  readonly operations: Operations;
  readonly services: Services;
  readonly streams: StreamRegistry;
}

export function createOperationRunner({ schema, operations, services, streams }: OperationRunnerOptions) {
  const known = new WeakMap<Operation, StreamOperation>();

  const streamed = (operation: Operation): StreamOperation => {
    let made = known.get(operation);
    if (!made) {
      made = createStreamOperation(schema, operation, services);
      known.set(operation, made);
    }
    return made;
  };

  /** @param session of the authenticated caller; subscriptions require it. */
  async function begin(
    message: OperationMessage,
    context: Context,
    door: Door,
    session: StreamSession | undefined,
    resumeAfter?: string,
  ): Promise<StreamStart> {
    const { operationName, variables, extensions, isSafe = false } = message;
    const outcome = await runOperation<Stream>(
      {
        door,
        isSafe,
        seen: () => readPosition(memberOf(extensions, 'position'), 'extensions.position'),
        find(caller) {
          return operations.find(operations.textOf(message), operationName, caller);
        },
        readVariables: (operation) => operation.checked(variables ?? {}),
        // These doors need results as values, which other modules serialise.
        executorOf: ({ interpreted }) => interpreted,
        subscribe(operation, given) {
          if (!session) throw context.refusal ?? new ApiError('unauthenticated');
          const { signal } = context;
          const request = { door, operation: streamed(operation), variables: given, resumeAfter, signal };
          return streams.open(request, session);
        },
      },
      context,
    );
    const { stream } = outcome;
    return stream ? { stream } : { outcome, response: responseTo(outcome, context) };
  }
  return { streams, begin };
}
