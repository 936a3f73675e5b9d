/** Finds the deprecated parts of the schema that an operation uses. Each door reports them in its own way. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { fragmentsOf } from '../core/selections.ts';
import {
  type Deprecations,
  deprecationsIn,
  type SchemaDeprecation,
  type SchemaPart,
} from './directives/sunset.ts';

type Variables = Readonly<Record<string, unknown>>;

/** What an operation uses regardless of its variables, and the variables whose values may use more. */
interface Uses {
  readonly always: readonly SchemaDeprecation[];
  readonly variables: readonly { readonly name: string; readonly type: GraphQLInputType }[];
}

/** An entry of `extensions.deprecations`. */
export interface ShownDeprecation {
  readonly coordinate: string;
  readonly reason: string;
  readonly deprecatedAt: string;
  readonly sunsetAt: string;
  readonly successor?: string;
}

const NOTHING: readonly SchemaDeprecation[] = [];

/**
 * Returns a function for the deprecated fields, arguments, input fields and enum values that an operation uses, each once, in the order of
 * its document. Fields that `@skip` and `@include` exclude count as well, since the client depends on them with other variables.
 *
 * @param document the validated document of the operation, for its fragments.
 * @returns a function of the variables as the client sent them. Their values count like literals in the document.
 */
export function deprecationsUsedBy(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables?: Variables) => readonly SchemaDeprecation[] {
  const deprecations = deprecationsIn(schema);
  if (deprecations.size === 0) return () => NOTHING;
  let uses: Uses | undefined;
  return (variables = {}) => {
    uses ??= findUses(schema, deprecations, document, operation);
    if (uses.variables.length === 0) return uses.always;
    const used = new Set(uses.always);
    for (const { name, type } of uses.variables) addUsed(deprecations, used, type, variables[name]);
    return [...used];
  };
}

/** Formats a deprecation for GraphQL clients. */
export function shownDeprecation(deprecation: SchemaDeprecation): ShownDeprecation {
  const { coordinate, reason, since, sunset, successor } = deprecation;
  return {
    coordinate,
    reason,
    deprecatedAt: since.toISOString(),
    sunsetAt: sunset.toISOString(),
    ...(successor !== undefined && { successor }),
  };
}

function findUses(
  schema: GraphQLSchema,
  deprecations: Deprecations,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Uses {
  const used = new Set<SchemaDeprecation>();
  const note = (part: SchemaPart | null | undefined) => add(deprecations, used, part);
  // Fragments are added while the set is iterated, each once, however often it is spread.
  const nodes = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  const fragments = fragmentsOf(document);
  for (const node of nodes) {
    const types = new TypeInfo(schema);
    visit(
      node,
      visitWithTypeInfo(types, {
        Field: () => note(types.getFieldDef()),
        Argument: () => note(types.getArgument()),
        EnumValue: () => note(types.getEnumValue()),
        ObjectField({ name }) {
          const type = getNamedType(types.getParentInputType());
          if (isInputObjectType(type)) note(type.getFields()[name.value]);
        },
        FragmentSpread({ name }) {
          const fragment = fragments[name.value];
          if (fragment) nodes.add(fragment);
        },
      }),
    );
  }
  return { always: [...used], variables: variablesToInspect(schema, deprecations, operation) };
}

function variablesToInspect(
  schema: GraphQLSchema,
  deprecations: Deprecations,
  { variableDefinitions }: OperationDefinitionNode,
): Uses['variables'] {
  return (variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
    const type = typeFromAST(schema, node);
    return isInputType(type) && mayUse(deprecations, type) ? [{ name: variable.name.value, type }] : [];
  });
}

/** Whether values of a type can name something deprecated. */
function mayUse(deprecations: Deprecations, input: GraphQLInputType, seen = new Set<unknown>()): boolean {
  const type = getNamedType(input);
  if (seen.has(type)) return false;
  seen.add(type);
  if (isEnumType(type)) return type.getValues().some((value) => deprecations.has(value));
  if (!isInputObjectType(type)) return false;
  return Object.values(type.getFields()).some(
    (field) => deprecations.has(field) || mayUse(deprecations, field.type, seen),
  );
}

/** Adds the deprecated parts in a value as a client sent it. Invalid values are ignored here and refused elsewhere. */
function addUsed(
  deprecations: Deprecations,
  used: Set<SchemaDeprecation>,
  input: GraphQLInputType,
  value: unknown,
): void {
  const type = getNullableType(input);
  if (value === null || value === undefined) return;
  if (isListType(type)) {
    // A single value is coerced to a list of one (GraphQL specification, section 3.11).
    for (const item of Array.isArray(value) ? value : [value]) addUsed(deprecations, used, type.ofType, item);
  } else if (isEnumType(type)) {
    add(deprecations, used, type.getValue(String(value)));
  } else if (isInputObjectType(type) && typeof value === 'object') {
    const fields = type.getFields();
    for (const [name, member] of Object.entries(value)) {
      const field = fields[name];
      if (!field) continue;
      add(deprecations, used, field);
      addUsed(deprecations, used, field.type, member);
    }
  }
}

function add(
  deprecations: Deprecations,
  used: Set<SchemaDeprecation>,
  part: SchemaPart | null | undefined,
): void {
  const deprecation = part && deprecations.get(part);
  if (deprecation) used.add(deprecation);
}
