/** The deprecated parts of the schema, by `@deprecated` and `@sunset`, and which of them an operation uses. Each door reports them in its own way. */
import {
  type ASTNode,
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getLocation,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  resolveSchemaCoordinate,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Deprecation, readDeprecation } from '../core/deprecation.ts';
import { directiveValues } from './directives/values.ts';

/** A deprecated part of the schema, as declared by `@deprecated` and `@sunset`. */
export interface SchemaDeprecation extends Deprecation {
  /** Its schema coordinate: `Charge.cents`, `Query.charges(page:)`, `ChargeInput.cents`, `Currency.DEM`. */
  readonly coordinate: string;
  /** Why it is deprecated, and what to do instead, in a sentence. */
  readonly reason: string;
  /** The coordinate of its replacement; undefined if there is none. */
  readonly successor: string | undefined;
}

/** A part of the schema that a document can use. */
type SchemaPart = GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField | GraphQLEnumValue;

type Deprecations = ReadonlyMap<SchemaPart, SchemaDeprecation>;

const NONE: Deprecations = new Map();

const deprecationsOfSchema = new WeakMap<GraphQLSchema, Deprecations>();

/** The deprecated parts of a schema; empty unless {@link readSunsets} was called on it before. */
export function deprecationsIn(schema: GraphQLSchema): Deprecations {
  return deprecationsOfSchema.get(schema) ?? NONE;
}

/**
 * Reads the deprecated parts of a schema, with their dates.
 *
 * @throws Error with file and line if only one of `@deprecated` and `@sunset` is present, if the dates are invalid, or if
 *   the successor is not in the schema. Clients rely on these dates, so an error in them stops the start of the server.
 */
export function readSunsets(schema: GraphQLSchema): void {
  const deprecations = new Map<SchemaPart, SchemaDeprecation>();
  for (const [coordinate, part] of partsOfSchema(schema)) {
    const deprecation = readSunset(schema, coordinate, part);
    if (deprecation) deprecations.set(part, deprecation);
  }
  deprecationsOfSchema.set(schema, deprecations);
}

/** The arguments of `@sunset`, as base.graphql describes them. */
interface Sunset {
  readonly since: string;
  readonly on?: string | null;
  readonly successor?: string | null;
}

function readSunset(
  schema: GraphQLSchema,
  coordinate: string,
  part: SchemaPart,
): SchemaDeprecation | undefined {
  const { astNode, deprecationReason } = part;
  const sunset = directiveValues<Sunset>(schema, 'sunset', part);
  if (deprecationReason == null && !sunset) return undefined;
  const refuse = (message: string): never => {
    throw new Error(`${sourceLine(astNode)}${coordinate} ${message}`);
  };
  if (!sunset) return refuse('is @deprecated without @sunset: add it, with the date and the successor');
  if (deprecationReason == null) return refuse('has @sunset without @deprecated: add it, with the reason');
  const { since, on, successor } = sunset;
  if (successor != null && !isInSchema(schema, successor)) {
    return refuse(`has the successor ${successor}, which is not in the schema`);
  }
  try {
    const dates = readDeprecation(since, on);
    return { ...dates, coordinate, reason: deprecationReason, successor: successor ?? undefined };
  } catch (error) {
    if (error instanceof RangeError) return refuse(`has invalid dates: ${error.message}`);
    throw error;
  }
}

function isInSchema(schema: GraphQLSchema, coordinate: string): boolean {
  try {
    return resolveSchemaCoordinate(schema, coordinate) !== undefined;
  } catch {
    // An invalid coordinate, or one whose parent does not exist, throws.
    return false;
  }
}

/** All parts that can be deprecated, with their coordinates (GraphQL specification, section 3.14). */
function* partsOfSchema(schema: GraphQLSchema): Generator<[string, SchemaPart]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isEnumType(type)) {
      for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value];
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field];
    } else if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        yield [`${type.name}.${field.name}`, field];
        for (const argument of field.args) yield [`${type.name}.${field.name}(${argument.name}:)`, argument];
      }
    }
  }
}

/** The file and line of the directives of a part, as the prefix of a message. */
function sourceLine(
  node: (ASTNode & { readonly directives?: readonly ConstDirectiveNode[] }) | null | undefined,
): string {
  const loc = (node?.directives?.find(({ name }) => /^(deprecated|sunset)$/.test(name.value)) ?? node)?.loc;
  return loc ? `${loc.source.name}:${getLocation(loc.source, loc.start).line}: ` : '';
}

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
