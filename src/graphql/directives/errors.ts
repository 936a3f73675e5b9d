import { type GraphQLField, type GraphQLSchema, getDirectiveValues, isObjectType } from 'graphql';
import { CATALOGUE, type ErrorCode } from '../../errors.ts';

/** The codes that `@errors` names on a field: what its resolver may refuse, in the domain's own terms. */
export function errorsOf(
  schema: GraphQLSchema,
  { astNode }: Pick<GraphQLField<unknown, unknown>, 'astNode'>,
): readonly ErrorCode[] {
  const definition = schema.getDirective('errors');
  const codes = definition && astNode ? getDirectiveValues(definition, astNode)?.['codes'] : undefined;
  // The SDL was validated, so that it is a list of texts; `checkErrors` has seen that each is a code.
  return (codes ?? []) as ErrorCode[];
}

/** @throws Error when a field names a code that the catalogue does not have: it would be promised and never come. */
export function checkErrors(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const unknown = errorsOf(schema, field).find((code) => !Object.hasOwn(CATALOGUE, code));
      if (unknown !== undefined) {
        throw new Error(`${type.name}.${field.name} names an error that is not in the catalogue: ${unknown}`);
      }
    }
  }
}
