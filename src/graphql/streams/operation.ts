/** Subscriptions as they are run once for many. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { fieldsIn, fragmentsOf } from '../../selections.ts';
import { type CompiledForRoot, compileForGraph } from '../compile.ts';
import type { Context } from '../context.ts';
import { deprecationsUsed, shownDeprecation } from '../deprecations.ts';
import { type Access, accessOf } from '../directives/auth.ts';
import { formatError, toApiError } from '../errors.ts';
import { type Sharing, sharingOf } from './sharing.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** A subscription, with everything about it that does not depend on who follows it. */
export interface StreamOperation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly sharing: Sharing;
  /** What the root field asks of whoever follows it. */
  readonly access: Access;
  readonly run: CompiledForRoot;
  /** The JSON text that is sent for a result. */
  encode(result: ExecutionResult, cursor: string): string;
  /** The same text for the same operation with variables that make no difference to what is sent. */
  keyOf(variables: Variables): string;
}

export interface StreamOperationParts {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Told of every error that is not meant for a client. */
  readonly onInternalError: (cause: unknown) => void;
}

let serial = 0;

/** A subscription as clients of the graph write it. Each result carries its cursor in `extensions.cursor`. */
export function createStreamOperation(parts: StreamOperationParts): StreamOperation {
  const { schema, document, operation, onInternalError } = parts;
  const root = rootOf(document, operation);
  const used = deprecationsUsed(schema, document, operation).map(shownDeprecation);
  const deprecations = used.length > 0 ? { deprecations: used } : {};
  const encode = (result: ExecutionResult, cursor: string) =>
    JSON.stringify({ ...formattedResult(result, onInternalError), extensions: { cursor, ...deprecations } });
  return makeStreamOperation(parts, root, runnerOf(schema, document, operation), encode);
}

/** What all kinds of subscriptions have in common. */
export function makeStreamOperation(
  { schema, document, operation }: Omit<StreamOperationParts, 'onInternalError'>,
  root: FieldNode,
  run: CompiledForRoot,
  encode: StreamOperation['encode'],
): StreamOperation {
  const field: GraphQLField<unknown, Context> | undefined = schema.getSubscriptionType()?.getFields()[
    root.name.value
  ];
  const names = namesThatCount(document, operation, root);
  serial += 1;
  const id = serial;
  return {
    document,
    name: operation.name?.value,
    sharing: sharingOf(schema, document, operation),
    access: field && accessOf(field),
    run,
    encode,
    // What was left out has its default, and null has not.
    keyOf: (variables) => JSON.stringify([id, ...names.map((name) => [variables[name]].filter(isGiven))]),
  };
}

const isGiven = (value: unknown) => value !== undefined;

/** A result as it leaves: with the errors of the catalogue. */
export function formattedResult(
  { data, errors }: ExecutionResult,
  onInternalError: (cause: unknown) => void,
): Record<string, unknown> {
  if (!errors) return { data };
  return {
    data,
    errors: errors.map((thrown) => {
      const error = toApiError(thrown);
      if (error.code === 'internal_error') onInternalError(error.cause);
      return formatError(error, {
        message: error.message,
        ...(thrown.locations && { locations: thrown.locations }),
        ...(thrown.path && { path: thrown.path }),
      });
    }),
  };
}

/** The one root field: validation lets a subscription have no second one. */
function rootOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode {
  const [root] = fieldsIn(operation.selectionSet, fragmentsOf(document));
  if (!root) throw new Error('A valid subscription has a root field.');
  return root;
}

/** graphql-js runs what graphql-jit cannot compile. Both take the root's value for the event. */
function runnerOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledForRoot {
  const operationName = operation.name?.value;
  const compiled = compileForGraph(schema, document, operationName);
  if (compiled) return compiled;
  return (rootValue, contextValue, variableValues) =>
    execute({ schema, document, operationName, rootValue, contextValue, variableValues });
}

/**
 * The variables by which two followers of one operation may differ in what they are sent. Where each began is none of it: a
 * variable that is the root field's `after` and nothing else.
 */
function namesThatCount(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  root: FieldNode,
): string[] {
  const uses = new Map<string, number>();
  visit(document, {
    [Kind.VARIABLE]: ({ name }) => void uses.set(name.value, (uses.get(name.value) ?? 0) + 1),
  });
  const after = root.arguments?.find(({ name }) => name.value === 'after')?.value;
  const start = after?.kind === Kind.VARIABLE ? after.name.value : undefined;
  return (
    (variableDefinitions ?? [])
      .map(({ variable }) => variable.name.value)
      // Its definition is one use, and the argument the other.
      .filter((name) => name !== start || uses.get(name) !== 2)
  );
}
