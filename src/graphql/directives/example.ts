import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';

/** What `@example` says about a field, argument or input field, undefined when it says nothing. */
export function exampleOf(
  schema: GraphQLSchema,
  { astNode }: GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField,
): unknown {
  const definition = schema.getDirective('example');
  return definition && astNode ? getDirectiveValues(definition, astNode)?.['value'] : undefined;
}
