import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { someNode } from '../field.ts';
import type { Declared } from './values.ts';

/** Whether the value of a field, argument or input field is a credential, by its `@secret`. */
export const isSecret = ({ astNode }: Declared): boolean =>
  astNode?.directives?.some(({ name }) => name.value === 'secret') ?? false;

/** Whether the object that a field returns has a credential as a field. */
export function returnsSecret({ type }: Pick<GraphQLField<unknown, unknown>, 'type'>): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && Object.values(named.getFields()).some(isSecret);
}

/** Whether a field takes a credential: as an argument, or as a member of one. */
export const takesSecret = ({ args }: Pick<GraphQLField<unknown, unknown>, 'args'>): boolean =>
  includeSecret(args);

/** Whether one of these inputs is a credential, or has one as a member. */
export function includeSecret(all: readonly (GraphQLArgument | GraphQLInputField)[]): boolean {
  const seen = new Set<GraphQLInputObjectType>();
  const isFoundIn = (inputs: typeof all): boolean =>
    inputs.some((input) => {
      if (isSecret(input)) return true;
      const type = getNamedType(input.type);
      if (!isInputObjectType(type) || seen.has(type)) return false;
      seen.add(type);
      return isFoundIn(Object.values(type.getFields()));
    });
  return isFoundIn(all);
}

/** Whether an operation selects a credential, so that no cache may keep its response. @param operation expanded. */
export const selectsSecret = (schema: GraphQLSchema, operation: OperationDefinitionNode): boolean =>
  someNode(schema, operation, ({ kind }, types) => {
    const field = kind === Kind.FIELD ? types.getFieldDef() : undefined;
    return !!field && isSecret(field);
  });
