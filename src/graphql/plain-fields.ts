import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';

const plain = new WeakSet<object>();

/** Records the fields without a resolver of their own. Call it before directives wrap resolvers. */
export function notePlainFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve === undefined || field.resolve === defaultFieldResolver) plain.add(field);
    }
  }
}

/** Whether the field's value is a member of its parent, and therefore depends on nothing else. */
export function isPlain(field: GraphQLField<never, never>): boolean {
  return plain.has(field);
}
