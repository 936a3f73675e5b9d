import {
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Whether the value of a field is a credential, by its `@secret`. */
export function isSecret({ astNode }: GraphQLField<unknown, unknown>): boolean {
  return astNode?.directives?.some(({ name }) => name.value === 'secret') ?? false;
}

/**
 * Whether an operation selects a credential, so that no cache may keep its response.
 *
 * @param operation expanded.
 */
export function selectsSecret(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  visit(
    operation,
    visitWithTypeInfo(types, {
      Field() {
        const field = types.getFieldDef();
        found ||= !!field && isSecret(field);
      },
    }),
  );
  return found;
}
