import { type GraphQLSchema, getDirectiveValues } from 'graphql';

/** A part of the schema, with its definition in the SDL. */
export interface Declared {
  readonly astNode?: Parameters<typeof getDirectiveValues>[1] | null | undefined;
}

/** Returns the arguments of a directive, with the types that the validated SDL declares; undefined without the directive. */
export function directiveValues<Arguments extends object = Readonly<Record<string, unknown>>>(
  schema: GraphQLSchema,
  directive: string,
  { astNode }: Declared,
): Arguments | undefined {
  const definition = schema.getDirective(directive);
  return definition && astNode
    ? (getDirectiveValues(definition, astNode) as Arguments | undefined)
    : undefined;
}

/** The arguments of `@accepts`, as base.graphql describes them. */
export interface Acceptance {
  readonly minItems?: number;
  readonly above?: number;
  readonly min?: number;
  readonly format?: string;
  readonly values?: string;
}

/** Reads `@accepts` of an argument or input field; undefined without the directive. */
export const acceptanceOf = (schema: GraphQLSchema, input: Declared): Acceptance | undefined =>
  directiveValues<Acceptance>(schema, 'accepts', input);

/** Reads `@example` of a field, argument or input field; undefined without the directive. */
export const exampleOf = (schema: GraphQLSchema, part: Declared): unknown =>
  directiveValues(schema, 'example', part)?.['value'];
