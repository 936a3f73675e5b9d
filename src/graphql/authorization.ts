import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { ApiError } from '../errors.ts';
import { fieldsIn, fragmentsOf } from '../selections.ts';
import type { Caller } from './context.ts';
import { accessOf, authorizeCaller } from './directives/auth.ts';

/**
 * Refuses a caller without usable credentials before anything runs, so that the answer as a whole is 401 rather than a
 * list of nulls. What a known caller may not do is refused field by field: the rest of its answer is still its own.
 *
 * @throws ApiError `unauthenticated` or what is wrong with the credentials; `graphql_validation_failed` for a kind of
 *   operation that the schema has not.
 */
export function authorizeOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  caller: Caller,
): void {
  const type = schema.getRootType(operation.operation);
  if (!type) {
    throw new ApiError('graphql_validation_failed', {
      message: `The schema has no ${operation.operation}s.`,
    });
  }
  if (caller.principal !== null) return;
  const fields = type.getFields();
  for (const { name } of fieldsIn(operation.selectionSet, fragmentsOf(document))) {
    const field = fields[name.value];
    // Introspection is not among a type's own fields, and asks for no credentials.
    if (field && accessOf(field) !== 'public') authorizeCaller(caller, undefined);
  }
}
