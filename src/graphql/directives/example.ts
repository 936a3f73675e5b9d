import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';

/** Reads `@example` of a field, argument or input field; undefined without the directive. */
export function exampleOf(
  schema: GraphQLSchema,
  { astNode }: GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField,
): unknown {
  const definition = schema.getDirective('example');
  return definition && astNode ? getDirectiveValues(definition, astNode)?.['value'] : undefined;
}
