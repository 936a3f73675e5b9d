import { type GraphQLField, type GraphQLSchema, getDirectiveValues, isObjectType } from 'graphql';
import { CATALOGUE, type ErrorCode } from '../../core/errors.ts';

/** What every mutation with `@idempotent` may refuse by itself. */
const OF_KEYS: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_in_progress',
];

/** What a field may refuse: what `@errors` names, in the domain's own terms, and what comes with `@idempotent`. */
export function errorsOf(
  schema: GraphQLSchema,
  { astNode }: Pick<GraphQLField<unknown, unknown>, 'astNode'>,
): readonly ErrorCode[] {
  const definition = schema.getDirective('errors');
  const codes = definition && astNode ? getDirectiveValues(definition, astNode)?.['codes'] : undefined;
  const idempotent = schema.getDirective('idempotent');
  const keyed = idempotent && astNode ? getDirectiveValues(idempotent, astNode) : undefined;
  return [
    // The SDL was validated, so that it is a list of texts; `checkErrors` has seen that each is a code.
    ...((codes ?? []) as ErrorCode[]),
    ...(keyed ? OF_KEYS : []),
    ...(keyed?.['required'] === true ? (['idempotency_key_required'] as const) : []),
  ];
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
