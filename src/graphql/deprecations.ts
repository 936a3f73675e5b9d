/** Finds the deprecated parts of the schema that an operation uses. Each door reports them in its own way. */
import {
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

const NOTHING: readonly SchemaDeprecation[] = [];

/**
 * Returns a function of the variables, as sent, for the deprecated parts that an expanded operation uses itself or in their values, each once.
 * Fields that `@skip` and `@include` exclude count as well, since the client depends on them with other variables.
 */
export function deprecationsUsedBy(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): (variables: Variables) => readonly SchemaDeprecation[] {
  const deprecations = deprecationsIn(schema);
  if (deprecations.size === 0) return () => NOTHING;
  const deprecated = (parts: readonly SchemaPart[]) => parts.flatMap((part) => deprecations.get(part) ?? []);
  let uses: Uses | undefined;
  return (variables) => {
    uses ??= {
      always: [...new Set(deprecated(partsOf(schema, operation)))],
      variables: variablesToInspect(schema, deprecations, operation),
    };
    if (uses.variables.length === 0) return uses.always;
    const inValues = uses.variables.flatMap(({ name, type }) => deprecated(partsIn(type, variables[name])));
    return [...new Set([...uses.always, ...inValues])];
  };
}

/** Formats a deprecation as an entry of `extensions.deprecations`. */
export function shownDeprecation(deprecation: SchemaDeprecation) {
  const { coordinate, reason, since, sunset, successor } = deprecation;
  return {
    coordinate,
    reason,
    deprecatedAt: since.toISOString(),
    sunsetAt: sunset.toISOString(),
    ...(successor !== undefined && { successor }),
  };
}

/** The fields, arguments, input fields and enum values in the text of an operation. */
function partsOf(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly SchemaPart[] {
  const parts: (SchemaPart | null | undefined)[] = [];
  const types = new TypeInfo(schema);
  visit(
    operation,
    visitWithTypeInfo(types, {
      Field: () => void parts.push(types.getFieldDef()),
      Argument: () => void parts.push(types.getArgument()),
      EnumValue: () => void parts.push(types.getEnumValue()),
      ObjectField({ name }) {
        const type = getNamedType(types.getParentInputType());
        if (isInputObjectType(type)) parts.push(type.getFields()[name.value]);
      },
    }),
  );
  return parts.flatMap((part) => part ?? []);
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

/** The input fields and enum values in a value as a client sent it. Invalid values are ignored here and refused elsewhere. */
function partsIn(input: GraphQLInputType, value: unknown): readonly SchemaPart[] {
  const type = getNullableType(input);
  if (value === null || value === undefined) return [];
  // A single value is coerced to a list of one (GraphQL specification, section 3.11).
  if (isListType(type)) return [value].flat().flatMap((item) => partsIn(type.ofType, item));
  if (isEnumType(type)) return [type.getValue(String(value)) ?? []].flat();
  if (!isInputObjectType(type) || typeof value !== 'object') return [];
  const fields = type.getFields();
  return Object.entries(value).flatMap(([name, member]) => {
    const field = fields[name];
    return field ? [field, ...partsIn(field.type, member)] : [];
  });
}
