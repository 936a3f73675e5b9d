/** Subscriptions as they are run once for many. */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { fieldsIn, fragmentsOf } from '../core/selections.ts';
import { shownDeprecation } from '../graphql/deprecations.ts';
import { type Access, accessOf } from '../graphql/directives/auth.ts';
import type { Field } from '../graphql/field.ts';
import type { Execute } from '../pipeline/compile.ts';
import type { Operation } from '../pipeline/operation.ts';
import type { OperationPrice } from '../pipeline/price/pricing.ts';
import { writeMembers } from '../pipeline/response.ts';
import { formattedErrors, type OnInternalError } from '../pipeline/result.ts';
import { type Sharing, sharingOf } from './sharing.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** A subscription, with everything about it that does not depend on who follows it. */
export interface StreamOperation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly sharing: Sharing;
  /** The access rule of the root field. */
  readonly access: Access;
  readonly run: Execute;
  /** What each event costs. */
  readonly price: OperationPrice;
  /** The JSON text that is sent for a result. */
  encode(result: ExecutionResult, cursor: string): string;
  /** The same text for the same operation with variables that make no difference to what is sent. */
  keyOf(variables: Variables): string;
}

let serial = 0;

/** A subscription as clients of the graph write it. Each result carries its cursor in `extensions.cursor`. */
export function createStreamOperation(
  schema: GraphQLSchema,
  operation: Operation,
  onInternalError: OnInternalError,
): StreamOperation {
  const used = operation.deprecations({}).map(shownDeprecation);
  const deprecations = used.length > 0 ? { deprecations: used } : {};
  return makeStreamOperation(schema, operation, (result, cursor) => {
    const errors = formattedErrors(result, operation.nullability, onInternalError);
    return writeMembers({
      data: operation.compiled.write(result.data),
      errors: errors && JSON.stringify(errors),
      extensions: JSON.stringify({ cursor, ...deprecations }),
    });
  });
}

/** What all kinds of subscriptions have in common. */
export function makeStreamOperation(
  schema: GraphQLSchema,
  { document, definition, name, compiled, price }: Operation,
  encode: StreamOperation['encode'],
): StreamOperation {
  const root = rootOf(document, definition);
  const field: Field | undefined = schema.getSubscriptionType()?.getFields()[root.name.value];
  const names = namesThatCount(document, definition, root);
  serial += 1;
  const id = serial;
  return {
    document,
    name,
    sharing: sharingOf(schema, document, definition),
    access: field && accessOf(field),
    run: compiled.execute,
    price,
    encode,
    // What was left out has its default, and null has not.
    keyOf: (variables) =>
      JSON.stringify([
        id,
        ...names.map((each) =>
          [Object.hasOwn(variables, each) ? variables[each] : undefined].filter(isGiven),
        ),
      ]),
  };
}

const isGiven = (value: unknown) => value !== undefined;

/** The one root field: validation lets a subscription have no second one. */
function rootOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode {
  const [root] = fieldsIn(operation.selectionSet, fragmentsOf(document));
  if (!root) throw new Error('A valid subscription has a root field.');
  return root;
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
