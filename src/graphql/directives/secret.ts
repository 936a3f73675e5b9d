import type { GraphQLField } from 'graphql';

/** Whether the value of a field is a credential, by its `@secret`. */
export function isSecret({ astNode }: GraphQLField<unknown, unknown>): boolean {
  return astNode?.directives?.some(({ name }) => name.value === 'secret') ?? false;
}
