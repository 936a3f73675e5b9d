import type { GraphQLArgument, GraphQLInputField, GraphQLSchema } from 'graphql';
import { directiveValues } from './values.ts';

/** The arguments of `@accepts`, as base.graphql describes them. */
export interface Acceptance {
  readonly minItems?: number;
  readonly above?: number;
  readonly format?: string;
  readonly values?: string;
}

/** Reads `@accepts` of an argument or input field; undefined without the directive. */
export const acceptanceOf = (
  schema: GraphQLSchema,
  input: GraphQLArgument | GraphQLInputField,
): Acceptance | undefined => directiveValues<Acceptance>(schema, 'accepts', input);
