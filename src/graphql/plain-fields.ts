import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';
import { fieldsOfObjects } from './field.ts';

const plain = new WeakSet<object>();

/** Records the fields without a resolver of their own. Call it before directives wrap resolvers. */
export function notePlainFields(schema: GraphQLSchema): void {
  for (const [, field] of fieldsOfObjects(schema)) {
    if (field.resolve === undefined || field.resolve === defaultFieldResolver) plain.add(field);
  }
}

/** Whether the field's value is a member of its parent, and therefore depends on nothing else. */
export function isPlain(field: GraphQLField<never, never>): boolean {
  return plain.has(field);
}
