import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';

/** The arguments of `@accepts`, as base.graphql describes them. */
export interface Acceptance {
  readonly minItems?: number;
  readonly above?: number;
  readonly format?: string;
  readonly values?: string;
}

/** Reads `@accepts` of an argument or input field; undefined without the directive. */
export function acceptanceOf(
  schema: GraphQLSchema,
  { astNode }: GraphQLArgument | GraphQLInputField,
): Acceptance | undefined {
  const definition = schema.getDirective('accepts');
  // The SDL was validated, so the values have the types of the directive's arguments.
  return definition && astNode
    ? (getDirectiveValues(definition, astNode) as Acceptance | undefined)
    : undefined;
}
