/** Finds out which callers can share the results of a subscription. */
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { accessOf } from '../graphql/directives/auth.ts';
import { directiveValues } from '../graphql/directives/values.ts';
import { type Field, isPlain, possibleFields } from '../graphql/field.ts';

/**
 * The callers that get the same result for the same event: all callers that may see the event; those with the same kind of
 * credentials, role and scopes; or of the latter, only those of the same person.
 */
export type Sharing = 'everybody' | 'rights' | 'person';

/**
 * Determines from the SDL what the result of an operation depends on. By default a field depends on the person: a result is
 * shared only if each of its fields is a plain value of its parent or has `@shared`.
 */
export function sharingOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Sharing {
  const reachable = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  const typeInfo = new TypeInfo(schema);
  const roots = new Set<unknown>([
    schema.getSubscriptionType(),
    schema.getQueryType(),
    schema.getMutationType(),
  ]);
  let sharing: Sharing = 'everybody';
  visit(
    reachable,
    visitWithTypeInfo(typeInfo, {
      [Kind.FIELD]() {
        const field = typeInfo.getFieldDef();
        const parent = typeInfo.getParentType();
        if (!field || !parent) {
          sharing = 'person';
          return;
        }
        // Introspection is the same for every caller.
        if (field.name.startsWith('__')) return;
        // Subscribers were authorized for the root field, and its value is the event.
        if (roots.has(parent)) return;
        for (const possible of possibleFields(schema, parent, field.name)) {
          if (!isSame(schema, possible)) sharing = 'person';
          else if (accessOf(possible) !== undefined && sharing === 'everybody') sharing = 'rights';
        }
      },
    }),
  );
  return sharing;
}

const isSame = (schema: GraphQLSchema, field: Field): boolean =>
  directiveValues(schema, 'shared', field) !== undefined || isPlain(field);
