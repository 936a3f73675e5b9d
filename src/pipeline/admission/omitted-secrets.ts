/**
 * Omits credentials that messages of graphql-js would quote, such as a password without quotes: error trackers of clients keep these messages.
 * What is omitted is as valid as it was, so that a second validation finds the same errors.
 */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type EnumValueNode,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isRecord } from '../../core/record.ts';
import { includeSecret, isSecret } from '../../graphql/directives/secret.ts';
import type { Variables } from '../compile.ts';

const OMITTED = '[omitted]';

/** A value of no scalar, which graphql-js prints as that text. */
const INVALID = { toJSON: () => OMITTED };

/** Omits the invalid literals for credentials in a document. Returns the same document if it has none. */
export function withoutSecretLiterals(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const { masked, variables } = maskLiterals(schema, document);
  return visit(masked, {
    VariableDefinition(node) {
      const { variable, defaultValue } = node;
      if (!defaultValue || isValid(defaultValue) || !variables.has(variable.name.value)) return undefined;
      return { ...node, defaultValue: maskedLiteral(defaultValue) };
    },
  });
}

/** Omits the credentials in the variables of an operation. */
export function withoutSecretVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Variables {
  const secret = maskLiterals(schema, document).variables;
  const masked = { ...variables };
  for (const { variable, type } of variableDefinitions) {
    const name = variable.name.value;
    const value = variables[name];
    masked[name] = secret.has(name) ? maskedValue(value) : maskedMembers(typeFromAST(schema, type), value);
  }
  return masked;
}

/** Masks the invalid literals that a document passes for credentials. Also returns the variables that it passes for them, by name. */
function maskLiterals(schema: GraphQLSchema, document: DocumentNode) {
  const types = new TypeInfo(schema);
  const variables = new Set<string>();
  const inputOf = (node: ArgumentNode | ObjectFieldNode) => {
    if (node.kind === Kind.ARGUMENT) return types.getArgument();
    const parent = getNamedType(types.getParentInputType());
    return isInputObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
  };
  const enter = (node: ASTNode) => {
    if (node.kind !== Kind.ARGUMENT && node.kind !== Kind.OBJECT_FIELD) return undefined;
    const input = inputOf(node);
    if (!input || !isSecret(input)) return undefined;
    if (node.value.kind === Kind.VARIABLE) variables.add(node.value.name.value);
    return isValid(node.value) ? undefined : { ...node, value: maskedLiteral(node.value) };
  };
  return { masked: visit(document, visitWithTypeInfo(types, { enter })), variables };
}

/** The kinds of literals that are valid for a credential, or have no value. */
const VALID: ReadonlySet<Kind> = new Set([Kind.STRING, Kind.VARIABLE, Kind.NULL]);
const isValid = ({ kind }: ValueNode): boolean => VALID.has(kind);

const maskedLiteral = ({ loc }: ValueNode): EnumValueNode => ({
  kind: Kind.ENUM,
  value: OMITTED,
  ...(loc && { loc }),
});

function maskedValue(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  return typeof value === 'string' ? OMITTED : INVALID;
}

/** Masks the credentials in an input object, and its unknown members, whose names may be misspelt. */
function maskedMembers(given: GraphQLType | undefined, value: unknown): unknown {
  if (value === undefined || value === null || !given) return value;
  const type = getNullableType(given);
  if (isListType(type)) {
    return Array.isArray(value)
      ? value.map((item) => maskedMembers(type.ofType, item))
      : maskedMembers(type.ofType, value);
  }
  if (!isInputObjectType(type)) return value;
  const members = type.getFields();
  if (!includeSecret(Object.values(members))) return value;
  if (!isRecord(value)) return maskedValue(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const input = members[name];
      const masked = !input || isSecret(input) ? maskedValue(member) : maskedMembers(input.type, member);
      return [name, masked];
    }),
  );
}
