import type { GraphQLArgument, GraphQLField, GraphQLInputField, GraphQLSchema } from 'graphql';
import { directiveValues } from './values.ts';

/** Reads `@example` of a field, argument or input field; undefined without the directive. */
export const exampleOf = (
  schema: GraphQLSchema,
  part: GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField,
): unknown => directiveValues(schema, 'example', part)?.['value'];
