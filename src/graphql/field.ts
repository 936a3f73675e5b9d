/** The fields of the schema, and what wraps their resolvers. */
import {
  type ASTNode,
  BREAK,
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Context } from '../../resolvers/shared/context.ts';
import type { Tracing } from '../observability/tracing.ts';

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

/** Clears the loaders after each root field of a mutation, since the next one must not get values from before the change. */
export function renewLoaders(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args, context: Context, info) => {
      try {
        return await resolve(source, args, context, info);
      } finally {
        context.loaders.forget();
      }
    };
  }
}

/** Makes every resolver reject instead of throw: graphql-js would abandon the other elements of a list, whose rejections end the process. */
export function rejectInsteadOfThrowing(schema: GraphQLSchema): void {
  for (const [, field] of fieldsOfObjects(schema)) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = (source, args, context, info) => {
      try {
        return resolve(source, args, context, info);
      } catch (error) {
        return Promise.reject(error);
      }
    };
  }
}

/** The context of the pipeline, which has the tracing of its server, if there is one. */
interface Traced extends Context {
  readonly tracing?: Tracing;
}

/** Wraps the resolvers of root fields, and of fields that return objects, in spans. Call it only if requests may be traced. */
export function traceResolvers(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const [type, field] of fieldsOfObjects(schema)) {
    const { resolve } = field;
    if (!resolve || resolve === defaultFieldResolver) continue;
    if (!roots.includes(type) && !isCompositeType(getNamedType(field.type))) continue;
    const name = `${type.name}.${field.name}`;
    field.resolve = (source, args, context: Context, info) => {
      const work = () => resolve(source, args, context, info);
      const { tracing }: Traced = context;
      return tracing ? tracing.span(name, { 'graphql.field': name }, work) : work();
    };
  }
}
