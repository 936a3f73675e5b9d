import { type GraphQLField, type GraphQLSchema, getDirectiveValues, isObjectType } from 'graphql';
import { CATALOGUE, type ErrorCode } from '../../core/errors.ts';

/** The errors that every mutation with `@idempotent` may return. */
const KEY_ERRORS: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_in_progress',
];

/** The errors that a field may return: the domain errors of `@errors`, and those of `@idempotent`. */
export function errorsOf(
  schema: GraphQLSchema,
  { astNode }: Pick<GraphQLField<unknown, unknown>, 'astNode'>,
): readonly ErrorCode[] {
  const definition = schema.getDirective('errors');
  const codes = definition && astNode ? getDirectiveValues(definition, astNode)?.['codes'] : undefined;
  const idempotent = schema.getDirective('idempotent');
  const keyed = idempotent && astNode ? getDirectiveValues(idempotent, astNode) : undefined;
  return [
    // The SDL was validated, so this is a list of texts; `checkErrors` has checked that each is a code.
    ...((codes ?? []) as ErrorCode[]),
    ...(keyed ? KEY_ERRORS : []),
    ...(keyed?.['required'] === true ? (['idempotency_key_required'] as const) : []),
  ];
}

/** Checks `@errors` of all fields. @throws Error if a field declares a code that is not in the catalogue, and that it could never return. */
export function checkErrors(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const unknown = errorsOf(schema, field).find((code) => !Object.hasOwn(CATALOGUE, code));
      if (unknown !== undefined) {
        throw new Error(
          `${type.name}.${field.name} declares an error that is not in the catalogue: ${unknown}`,
        );
      }
    }
  }
}
