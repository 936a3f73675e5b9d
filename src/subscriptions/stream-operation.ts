/** Subscription operations that are executed once for many followers. */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { shownDeprecation } from '../graphql/deprecations.ts';
import { type Access, accessOf } from '../graphql/directives/auth.ts';
import { directiveValues } from '../graphql/directives/values.ts';
import { type Field, isPlain, possibleFields } from '../graphql/field.ts';
import type { Execute, Variables } from '../pipeline/compile.ts';
import type { Services } from '../pipeline/context.ts';
import type { Operation } from '../pipeline/operation.ts';
import type { OperationPrice } from '../pipeline/price/pricing.ts';
import { formattedErrors, writeMembers } from '../pipeline/response.ts';
import { responseFieldsIn, setsOf } from '../pipeline/response-fields.ts';

/**
 * The callers that get the same result for the same event: all callers that may see the event; those with the same kind of
 * credentials, role and scopes; or of the latter, only those of the same person.
 */
export type Sharing = 'everybody' | 'rights' | 'person';

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
  { document, expanded, name, compiled, price }: Operation,
  encode: StreamOperation['encode'],
): StreamOperation {
  const [root] = responseFieldsIn(schema, setsOf(schema, expanded));
  // Validation allows a subscription exactly one.
  if (!root) throw new Error('A valid subscription has a root field.');
  const [{ node }] = root.fields;
  const field: Field | undefined = schema.getSubscriptionType()?.getFields()[node.name.value];
  const names = namesThatCount(expanded, node);
  serial += 1;
  const id = serial;
  return {
    document,
    name,
    sharing: sharingOf(schema, expanded),
    access: field && accessOf(field),
    run: compiled.execute,
    price,
    encode,
    // An omitted variable gets its default, while null does not: the key distinguishes them.
    keyOf: (variables) =>
      JSON.stringify([id, ...names.map((each) => (Object.hasOwn(variables, each) ? [variables[each]] : []))]),
  };
}

/**
 * Returns the names of the variables that can make the results of two followers differ. This excludes the start position: a
 * variable that is used only as the root field's argument `after`.
 */
function namesThatCount(operation: OperationDefinitionNode, root: FieldNode): string[] {
  const { variableDefinitions = [] } = operation;
  const uses = new Map<string, number>();
  visit(operation, {
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

/**
 * Determines from the SDL what the result of an operation depends on. By default a field depends on the person: a result is
 * shared only if each of its fields is a plain value of its parent or has `@shared`.
 */
function sharingOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Sharing {
  const typeInfo = new TypeInfo(schema);
  const roots = new Set<unknown>([
    schema.getSubscriptionType(),
    schema.getQueryType(),
    schema.getMutationType(),
  ]);
  let sharing: Sharing = 'everybody';
  visit(
    operation,
    visitWithTypeInfo(typeInfo, {
      [Kind.FIELD]() {
        const field = typeInfo.getFieldDef();
        const parent = typeInfo.getParentType();
        if (!field || !parent) {
          sharing = 'person';
          return;
        }
        // Introspection is the same for every caller.
        if (field.name.startsWith('__')) return;
        // Subscribers were authorized for the root field, and its value is the event.
        if (roots.has(parent)) return;
        for (const possible of possibleFields(schema, parent, field.name)) {
          if (!isSame(schema, possible)) sharing = 'person';
          else if (accessOf(possible) !== undefined && sharing === 'everybody') sharing = 'rights';
        }
      },
    }),
  );
  return sharing;
}

const isSame = (schema: GraphQLSchema, field: Field): boolean =>
  directiveValues(schema, 'shared', field) !== undefined || isPlain(field);
