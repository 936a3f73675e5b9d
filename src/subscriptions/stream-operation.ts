/** Subscription operations that are executed once for many followers. */
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
import type { Execute, Variables } from '../pipeline/compile.ts';
import type { Services } from '../pipeline/context.ts';
import type { Operation } from '../pipeline/operation.ts';
import type { OperationPrice } from '../pipeline/price/pricing.ts';
import { formattedErrors, writeMembers } from '../pipeline/response.ts';
import { type Sharing, sharingOf } from './sharing.ts';

/** A subscription operation, with everything that does not depend on its followers. */
export interface StreamOperation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly sharing: Sharing;
  /** The access rule of the root field. */
  readonly access: Access;
  readonly run: Execute;
  /** The price of each event. */
  readonly price: OperationPrice;
  /** Returns the JSON text to send for a result. */
  encode(result: ExecutionResult, cursor: string): string;
  /** Returns a key. Followers of one operation have the same key if their variables cannot make their results differ. */
  keyOf(variables: Variables): string;
}

let serial = 0;

/** Creates a subscription with results in GraphQL's format. Each result has its cursor in `extensions.cursor`. */
export function createStreamOperation(
  schema: GraphQLSchema,
  operation: Operation,
  services: Pick<Services, 'noteInternalError'>,
): StreamOperation {
  const used = operation.deprecations({}).map(shownDeprecation);
  const deprecations = used.length > 0 ? { deprecations: used } : {};
  return makeStreamOperation(schema, operation, (result, cursor) => {
    const errors = formattedErrors(result, operation.depthOfNull, services);
    return writeMembers({
      data: operation.compiled.write(result.data),
      errors: errors && JSON.stringify(errors),
      extensions: JSON.stringify({ cursor, ...deprecations }),
    });
  });
}

/** Creates a subscription with results in the format that `encode` writes. */
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
    // An omitted variable gets its default, while null does not: the key distinguishes them.
    keyOf: (variables) =>
      JSON.stringify([id, ...names.map((each) => (Object.hasOwn(variables, each) ? [variables[each]] : []))]),
  };
}

/** Returns the root field. Validation allows a subscription only one. */
function rootOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode {
  const [root] = fieldsIn(operation.selectionSet, fragmentsOf(document));
  if (!root) throw new Error('A valid subscription has a root field.');
  return root;
}

/**
 * Returns the names of the variables that can make the results of two followers differ. This excludes the start position: a
 * variable that is used only as the root field's argument `after`.
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
    variableDefinitions
      .map(({ variable }) => variable.name.value)
      // One use is its definition, the other the argument.
      .filter((name) => name !== start || uses.get(name) !== 2)
  );
}
