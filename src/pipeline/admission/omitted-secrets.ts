/**
 * Omits credentials that messages of graphql-js would quote, such as a password without quotes: error trackers of clients keep these messages.
 * What is omitted is as valid as it was, so that a second validation finds the same errors.
 */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
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
import { isRecord } from '../../core/json.ts';
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
      if (!defaultValue || !variables.has(variable.name.value)) return undefined;
      return { ...node, defaultValue: maskedLiteral(defaultValue) };
    },
  });
}

/** Returns a function that omits the credentials in variables of an operation. */
export function createSecretMask(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (variables: Variables) => Variables {
  const secret = maskLiterals(schema, document).variables;
  const types = new Map(
    variableDefinitions.map(({ variable, type }) => [variable.name.value, typeFromAST(schema, type)]),
  );
  // Of the variables that were sent only: one without a value is another mistake than a missing one.
  return (variables) =>
    mapValues(variables, (value, name) =>
      secret.has(name) ? maskedValue(value) : maskedMembers(types.get(name), value),
    );
}

/** Masks the invalid literals that a document passes for credentials. Also returns the variables that it passes for or in them, by name. */
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
    if (!input) return undefined;
    const { value } = node;
    const isInvalid = !validFor(input).has(value.kind);
    if (isInvalid || isSecret(input))
      visit(value, { Variable: ({ name }) => void variables.add(name.value) });
    return isInvalid ? { ...node, value: maskedLiteral(value) } : undefined;
  };
  return { masked: visit(document, visitWithTypeInfo(types, { enter })), variables };
}

/** The kinds of literals that graphql-js does not quote whole as a value of this input, or that may be quoted. */
function validFor(input: GraphQLArgument | GraphQLInputField): ReadonlySet<Kind> {
  if (isSecret(input)) return TEXTS;
  return isInputObjectType(getNullableType(input.type)) && includeSecret([input]) ? OBJECTS : ALL;
}

const TEXTS: ReadonlySet<Kind> = new Set([Kind.STRING, Kind.VARIABLE, Kind.NULL]);
const OBJECTS: ReadonlySet<Kind> = new Set([Kind.OBJECT, Kind.VARIABLE, Kind.NULL]);
const ALL: ReadonlySet<Kind> = new Set(Object.values(Kind));

/** Masks the values in a literal. Its variables stay, since unused ones are a mistake. */
const maskedLiteral = (literal: ValueNode): ValueNode =>
  visit(literal, {
    enter(node) {
      if (node.kind === Kind.STRING) return { ...node, value: OMITTED };
      if (!SCALARS.has(node.kind)) return undefined;
      return { kind: Kind.ENUM, value: OMITTED, ...(node.loc && { loc: node.loc }) };
    },
  });

const SCALARS: ReadonlySet<Kind> = new Set([Kind.ENUM, Kind.INT, Kind.FLOAT, Kind.BOOLEAN]);

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
  // graphql-js reads a list as an object with numbers as members.
  if (!isRecord(value)) return Array.isArray(value) ? value.map(maskedValue) : OMITTED;
  return mapValues(value, (member, name) => {
    const input = members[name];
    return !input || isSecret(input) ? maskedValue(member) : maskedMembers(input.type, member);
  });
}

const mapValues = (
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
