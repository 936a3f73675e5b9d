import type { ApolloServerPlugin } from '@apollo/server';
import {
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from './context.ts';
import { accessOf, authorizeCaller } from './directives/auth.ts';

/**
 * Refuses a caller without usable credentials before anything runs, so that the answer as a whole is 401 rather than a
 * list of nulls. What a known caller may not do is refused field by field: the rest of its answer is still its own.
 */
export const authorizationPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ contextValue, schema, operation, document }) => {
      if (contextValue.principal !== null || !operation) return;
      const type = schema.getRootType(operation.operation);
      const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
      const isClosed = (field: GraphQLField<unknown, Context>) => accessOf(field) !== 'public';
      if (type && rootFields(type, operation, fragments).some(isClosed)) authorizeCaller(contextValue, undefined);
    },
  }),
};

function rootFields(
  type: GraphQLObjectType,
  operation: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
): GraphQLField<unknown, Context>[] {
  const fields = type.getFields();
  const collect = (set: SelectionSetNode | undefined): GraphQLField<unknown, Context>[] =>
    (set?.selections ?? []).flatMap((selection) => {
      switch (selection.kind) {
        // Introspection is not among a type's own fields, and asks for no credentials.
        case Kind.FIELD:
          return fields[selection.name.value] ?? [];
        case Kind.INLINE_FRAGMENT:
          return collect(selection.selectionSet);
        case Kind.FRAGMENT_SPREAD:
          return collect(fragments.find(({ name }) => name.value === selection.name.value)?.selectionSet);
      }
    });
  return collect(operation.selectionSet);
}
