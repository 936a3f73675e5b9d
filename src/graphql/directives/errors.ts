import type { GraphQLSchema } from 'graphql';
import { CATALOGUE, type ErrorCode } from '../../core/errors.ts';
import { fieldsOfObjects } from '../field.ts';
import { type Declared, directiveValues } from './values.ts';

/** The errors that every mutation with `@idempotent` may return. */
const KEY_ERRORS: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_in_progress',
];

/** The errors that a field may return: the domain errors of `@errors`, and those of `@idempotent`. */
export function errorsOf(schema: GraphQLSchema, field: Declared): readonly ErrorCode[] {
  // `checkErrors` has checked that each is a code.
  const declared = directiveValues<{ readonly codes: readonly ErrorCode[] }>(schema, 'errors', field);
  const keyed = directiveValues(schema, 'idempotent', field);
  return [
    ...(declared?.codes ?? []),
    ...(keyed ? KEY_ERRORS : []),
    ...(keyed?.['required'] === true ? (['idempotency_key_required'] as const) : []),
  ];
}

/** Checks `@errors` of all fields. @throws Error if a field declares a code that is not in the catalogue, and that it could never return. */
export function checkErrors(schema: GraphQLSchema): void {
  for (const [type, field] of fieldsOfObjects(schema)) {
    const unknown = errorsOf(schema, field).find((code) => !Object.hasOwn(CATALOGUE, code));
    if (unknown !== undefined) {
      throw new Error(
        `${type.name}.${field.name} declares an error that is not in the catalogue: ${unknown}`,
      );
    }
  }
}
