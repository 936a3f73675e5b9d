import { type DocumentNode, type ExecutionResult, GraphQLID, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from './context.ts';
import { DateTime } from './scalars.ts';

/** An operation that was parsed, validated and compiled, and is only waiting for its variables. */
export type CompiledOperation = (
  context: Context,
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>;

/** An operation that is run for a value of its root, such as a subscription for an event. */
export type CompiledForRoot = (
  root: unknown,
  context: Context,
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Compiles a validated operation into one function, for operations that are known when the server boots.
 *
 * Ids that are integers in the database stay integers in the result, and moments stay moments: REST writes them itself.
 *
 * @throws Error when the operation cannot be compiled.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string,
): CompiledOperation {
  const run = compileForRest(schema, document, operationName);
  return (context, variables) => run(undefined, context, variables);
}

/** The same for an operation that is run for a value of its root. @throws Error when it cannot be compiled. */
export function compileForRest(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string,
): CompiledForRoot {
  const compiled = compileQuery(schema, document, operationName, {
    customSerializers: {
      [GraphQLID.name]: (value: unknown) => (typeof value === 'number' ? value : GraphQLID.serialize(value)),
      // The writer of the JSON text knows what a moment looks like, and is faster at it.
      [DateTime.name]: (value: unknown) => value,
    },
    // Resolvers are typed, and the writer of the JSON text goes by the same schema: a check in between finds nothing.
    disableLeafSerialization: true,
    // Our errors carry a code and are made where they happen; a second stack for each says nothing more.
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) {
    throw new Error(
      `${operationName} cannot be compiled: ${compiled.errors?.[0]?.message ?? 'no reason given'}`,
    );
  }
  // The result of a query without type parameters is declared looser than an ExecutionResult, which it is.
  // graphql-jit copies the variables it is given into a record of its own and does not write to ours.
  return (root, context, variables) => compiled.query(root, context, variables as Record<string, unknown>);
}

/**
 * Compiles a validated operation that a client sent, with results as clients of the graph know them.
 *
 * @returns undefined when it cannot be compiled; graphql-js runs it then.
 */
export function compileForGraph(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): CompiledForRoot | undefined {
  const compiled = compileQuery(schema, document, operationName, { disablingCapturingStackErrors: true });
  if (!isCompiledQuery(compiled)) return undefined;
  return (root, context, variables) => compiled.query(root, context, variables as Record<string, unknown>);
}
