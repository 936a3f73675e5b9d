import {
  type ASTNode,
  BREAK,
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Context } from '../../resolvers/shared/context.ts';

/** A field of the schema, which is resolved with the context of a request. */
export type Field = GraphQLField<unknown, Context>;

/** All fields of the object types of a schema, without those of introspection. */
export function* fieldsOfObjects(schema: GraphQLSchema): Generator<readonly [GraphQLObjectType, Field]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) yield [type, field];
  }
}

type Resolver = NonNullable<Field['resolve']>;

/** Returns a resolver that runs after a check, which throws to refuse the call. */
export const runAfter =
  (check: (args: unknown, context: Context) => void, resolve: Resolver = defaultFieldResolver): Resolver =>
  (source, args, context, info) => {
    check(args, context);
    return resolve(source, args, context, info);
  };

/** The fields that may run for a name that is selected on a type: on an abstract type, one for each of its possible types. */
export function possibleFields(
  schema: GraphQLSchema,
  type: GraphQLNamedType | null | undefined,
  name: string,
): readonly Field[] {
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
  return types.flatMap((each) => each.getFields()[name] ?? []);
}

/** Whether a node of an expanded operation meets a condition, given the types at the node. */
export function someNode(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  condition: (node: ASTNode, types: TypeInfo) => boolean,
): boolean {
  const types = new TypeInfo(schema);
  let isFound = false;
  const enter = (node: ASTNode) => {
    isFound = condition(node, types);
    return isFound ? BREAK : undefined;
  };
  visit(operation, visitWithTypeInfo(types, { enter }));
  return isFound;
}

const plain = new WeakSet<object>();

/** Records the fields without a resolver of their own. Call it before directives wrap resolvers. */
export function notePlainFields(schema: GraphQLSchema): void {
  for (const [, field] of fieldsOfObjects(schema)) {
    if (field.resolve === undefined || field.resolve === defaultFieldResolver) plain.add(field);
  }
}

/** Whether the field's value is a member of its parent, and therefore depends on nothing else. */
export const isPlain = (field: GraphQLField<never, never>): boolean => plain.has(field);
