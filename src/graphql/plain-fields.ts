import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';

const plain = new WeakSet<object>();

/** Remembers the fields that have no resolver of their own. To be called before directives wrap any. */
export function notePlainFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve === undefined || field.resolve === defaultFieldResolver) plain.add(field);
    }
  }
}

/** Whether the field's value is a member of its parent, and so depends on nothing else. */
export function isPlain(field: GraphQLField<never, never>): boolean {
  return plain.has(field);
}
