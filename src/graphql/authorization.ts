import type { ApolloServerPlugin } from '@apollo/server';
import { Kind } from 'graphql';
import { ApiError } from '../errors.ts';
import { fieldsIn } from '../selections.ts';
import type { Context } from './context.ts';
import { accessOf, authorizeCaller } from './directives/auth.ts';

/**
 * Refuses a caller without usable credentials before anything runs, so that the answer as a whole is 401 rather than a
 * list of nulls. What a known caller may not do is refused field by field: the rest of its answer is still its own.
 */
export const authorizationPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ contextValue, schema, operation, document }) => {
      if (!operation) return;
      const type = schema.getRootType(operation.operation);
      if (!type) {
        throw new ApiError('graphql_validation_failed', {
          message: `The schema has no ${operation.operation}s.`,
        });
      }
      if (contextValue.principal !== null) return;
      const fragments = Object.fromEntries(
        document.definitions.flatMap((node) =>
          node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
        ),
      );
      const fields = type.getFields();
      for (const { name } of fieldsIn(operation.selectionSet, fragments)) {
        const field = fields[name.value];
        // Introspection is not among a type's own fields, and asks for no credentials.
        if (field && accessOf(field) !== 'public') authorizeCaller(contextValue, undefined);
      }
    },
  }),
};
