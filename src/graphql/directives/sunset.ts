import {
  type ASTNode,
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getLocation,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  resolveSchemaCoordinate,
} from 'graphql';
import { type Deprecation, readDeprecation } from '../../core/deprecation.ts';
import { directiveValues } from './values.ts';

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
export type SchemaPart =
  | GraphQLField<unknown, unknown>
  | GraphQLArgument
  | GraphQLInputField
  | GraphQLEnumValue;

export type Deprecations = ReadonlyMap<SchemaPart, SchemaDeprecation>;

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
  for (const [coordinate, part] of partsOf(schema)) {
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

/** The file and line of the directives of a part, as the prefix of a message. */
function sourceLine(
  node: (ASTNode & { readonly directives?: readonly ConstDirectiveNode[] }) | null | undefined,
): string {
  const loc = (node?.directives?.find(({ name }) => /^(deprecated|sunset)$/.test(name.value)) ?? node)?.loc;
  return loc ? `${loc.source.name}:${getLocation(loc.source, loc.start).line}: ` : '';
}
