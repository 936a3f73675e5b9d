import {
  type ASTNode,
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getDirectiveValues,
  getLocation,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  resolveSchemaCoordinate,
} from 'graphql';
import { type Deprecation, readDeprecation } from '../../core/deprecation.ts';

/** A part of the schema that is going to go, as `@deprecated` and `@sunset` say it. */
export interface SchemaDeprecation extends Deprecation {
  /** What it is, as a schema coordinate: `Charge.cents`, `Query.charges(page:)`, `ChargeInput.cents`, `Currency.DEM`. */
  readonly coordinate: string;
  /** Why, and what to do instead, in a sentence. */
  readonly reason: string;
  /** The coordinate of what takes its place, undefined when nothing does. */
  readonly successor: string | undefined;
}

/** What a client can name in a document. */
export type SchemaPart =
  | GraphQLField<unknown, unknown>
  | GraphQLArgument
  | GraphQLInputField
  | GraphQLEnumValue;

/** The deprecated parts of a schema, none for one that has not been through {@link readSunsets}. */
export type Deprecations = ReadonlyMap<SchemaPart, SchemaDeprecation>;

const NONE: Deprecations = new Map();

const deprecationsOfSchema = new WeakMap<GraphQLSchema, Deprecations>();

/** What is deprecated in a schema that has been through {@link readSunsets}. */
export function deprecationsIn(schema: GraphQLSchema): Deprecations {
  return deprecationsOfSchema.get(schema) ?? NONE;
}

/**
 * Reads what is deprecated, and when each of it ends.
 *
 * @throws Error with file and line when `@deprecated` and `@sunset` do not stand together, when the dates are none, or when
 *   the successor is not in the schema. Clients plan by these dates, so what is wrong with them stops the boot.
 */
export function readSunsets(schema: GraphQLSchema): void {
  const deprecations = new Map<SchemaPart, SchemaDeprecation>();
  for (const [coordinate, part] of partsOf(schema)) {
    const deprecation = readSunset(schema, coordinate, part);
    if (deprecation) deprecations.set(part, deprecation);
  }
  deprecationsOfSchema.set(schema, deprecations);
}

function readSunset(
  schema: GraphQLSchema,
  coordinate: string,
  { astNode, deprecationReason }: SchemaPart,
): SchemaDeprecation | undefined {
  const declaration = schema.getDirective('sunset');
  const sunset = declaration && astNode ? getDirectiveValues(declaration, astNode) : undefined;
  if (deprecationReason == null && !sunset) return undefined;
  const refuse = (message: string): never => {
    throw new Error(`${placeOf(astNode)}${coordinate} ${message}`);
  };
  if (!sunset) return refuse('is deprecated: say with @sunset since when, and what takes its place');
  if (deprecationReason == null) return refuse('has a @sunset and is not @deprecated: give the reason');
  // The SDL was validated, so that the values have the types of the directive's arguments.
  const { since, on, successor } = sunset as { since: string; on?: string | null; successor?: string | null };
  if (successor != null && !isThere(schema, successor)) {
    return refuse(`has the successor ${successor}, which the schema has not`);
  }
  try {
    const dates = readDeprecation(since, on);
    return { ...dates, coordinate, reason: deprecationReason, successor: successor ?? undefined };
  } catch (error) {
    if (error instanceof RangeError) return refuse(`has dates that are none: ${error.message}`);
    throw error;
  }
}

function isThere(schema: GraphQLSchema, coordinate: string): boolean {
  try {
    return resolveSchemaCoordinate(schema, coordinate) !== undefined;
  } catch {
    // What is not a coordinate at all, and what is in nothing, is thrown at.
    return false;
  }
}

/** Everything that can be deprecated, by its coordinate (GraphQL specification, section 3.14). */
function* partsOf(schema: GraphQLSchema): Generator<[string, SchemaPart]> {
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

/** The file and line of the directives of a part, with what comes between it and a message. */
function placeOf(
  node: (ASTNode & { readonly directives?: readonly ConstDirectiveNode[] }) | null | undefined,
): string {
  const loc = (node?.directives?.find(({ name }) => /^(deprecated|sunset)$/.test(name.value)) ?? node)?.loc;
  return loc ? `${loc.source.name}:${getLocation(loc.source, loc.start).line}: ` : '';
}
