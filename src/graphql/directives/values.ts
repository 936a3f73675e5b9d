import { type GraphQLSchema, getDirectiveValues } from 'graphql';

/** A part of the schema, with its definition in the SDL. */
export interface Declared {
  readonly astNode?: Parameters<typeof getDirectiveValues>[1] | null | undefined;
}

/**
 * Returns the arguments of a directive on a part of the schema; undefined without the directive.
 *
 * `Arguments` are those that the SDL declares for the directive. The SDL was validated, so the values have their types.
 */
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
