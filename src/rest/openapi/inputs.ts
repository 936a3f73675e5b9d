import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { CURRENCIES } from '../../core/money.ts';
import { LINE } from '../../core/text-line.ts';
import { AUDIT_TYPES } from '../../events/audit.ts';
import { EVENT_TYPES, TYPE_PATTERNS } from '../../events/catalogue.ts';
import { SCOPES } from '../../graphql/directives/auth.ts';
import { type Constraint, constraintOf } from '../../graphql/directives/constraint.ts';
import { type Acceptance, acceptanceOf, exampleOf } from '../../graphql/directives/values.ts';
import type { Route } from '../compile/route.ts';
import { enumText, snakeCase } from '../compile/spelling.ts';
import type { Variable } from '../compile/variables.ts';
import { leafSchema, orNull } from '../compile/view.ts';
import { fillingsOf } from '../handle/arguments.ts';
import type { Components } from './components.ts';
import type { Schema } from './types.ts';

/** Where a value is sent: as text in a path, a query or a header, or in a JSON body. */
type Place = 'text' | 'body';

type Input = GraphQLArgument | GraphQLInputField;

/** The restrictions of a value beyond its type. */
type Limits = Constraint & Acceptance;

/** Describes the inputs of a route as JSON Schema: types, constraints, defaults, examples and descriptions. */
export class Inputs {
  readonly #schema: GraphQLSchema;
  readonly #components: Pick<Components, 'define'>;

  /** @param components receives the schemas of input types, and returns what refers to them. */
  constructor(schema: GraphQLSchema, components: Pick<Components, 'define'>) {
    this.#schema = schema;
    this.#components = components;
  }

  /** Returns the schema of a variable: that of its type, with the restrictions and description of the argument that it fills. */
  ofVariable(route: Route, variable: Variable, place: Place): Schema {
    const filled = inputOf(route, variable.name);
    const bare = this.#type(variable.type, place, filled && this.#limitsOf(filled));
    return filled ? { ...bare, ...this.#words(filled, variable.type, place) } : bare;
  }

  #limitsOf(input: Input): Limits {
    return { ...constraintOf(this.#schema, input), ...acceptanceOf(this.#schema, input) };
  }

  #type(type: GraphQLInputType, place: Place, constraint: Limits = {}): Schema {
    const wanted = getNullableType(type);
    const schema = this.#present(wanted, place, constraint);
    const mayBeNull = place === 'body' && !isNonNullType(type) && !constraint.notNull;
    return mayBeNull ? orNull(schema) : schema;
  }

  #present(type: GraphQLInputType, place: Place, constraint: Limits): Schema {
    if (isListType(type)) {
      const { minItems, maxItems, values, format } = constraint;
      const items = this.#type(type.ofType, place, {
        ...(values != null && { values }),
        ...(format != null && { format }),
      });
      return {
        type: 'array',
        items,
        ...(minItems != null && { minItems }),
        ...(maxItems != null && { maxItems }),
      };
    }
    if (isInputObjectType(type)) return this.#object(type);
    if (isEnumType(type)) return { type: 'string', enum: valuesOf(type, place) };
    return { ...leafSchema(type.name), ...(type.name === 'ID' && ID_RANGE), ...keywordsOf(constraint) };
  }

  #object(type: GraphQLInputObjectType): Schema {
    return this.#components.define(type.name, () => {
      const fields = Object.values(type.getFields());
      return {
        type: 'object',
        ...(type.description && { description: type.description }),
        properties: Object.fromEntries(fields.map((field) => [snakeCase(field.name), this.#member(field)])),
        required: fields.filter(isRequiredInputField).map(({ name }) => snakeCase(name)),
        additionalProperties: false,
      };
    });
  }

  #member(field: GraphQLInputField): Schema {
    const schema = this.#type(field.type, 'body', this.#limitsOf(field));
    return { ...schema, ...this.#words(field, field.type, 'body') };
  }

  #words(input: Input, type: GraphQLInputType, place: Place): Schema {
    const example = exampleOf(this.#schema, input);
    const value = input.defaultValue;
    const isEnum = isEnumType(getNamedType(type));
    return {
      ...(input.description && { description: input.description }),
      ...(value != null && { default: isEnum && place === 'text' ? enumText(String(value)) : value }),
      ...(example !== undefined && { examples: [example] }),
      ...(input.deprecationReason != null && { deprecated: true }),
    };
  }
}

/** Returns the argument, or member of an argument, that a variable fills; undefined if it is inside a literal list. */
function inputOf({ root: { node, field } }: Route, name: string): Input | undefined {
  const filling = fillingsOf(node).find((each) => each.node.name.value === name);
  const [first, ...rest] = filling?.path.split('.') ?? [];
  let input: Input | undefined = field.args.find((argument) => argument.name === first);
  for (const step of rest) {
    const type: unknown = input && getNamedType(input.type);
    // A path through a literal list has an index, which no type has as a field: the variable's own type describes it.
    input = isInputObjectType(type) ? type.getFields()[step] : undefined;
  }
  return input;
}

function valuesOf(type: GraphQLEnumType, place: Place): string[] {
  const names = type.getValues().map(({ name }) => name);
  return place === 'text' ? names.map(enumText) : names;
}

function keywordsOf({ min, max, minLength, maxLength, line, above, format, values }: Limits): Schema {
  return {
    ...(values != null && { enum: vocabulary(values) }),
    ...(format != null && { format }),
    ...(above != null && { exclusiveMinimum: above }),
    ...(min != null && { minimum: min }),
    ...(max != null && { maximum: max }),
    ...(minLength != null && { minLength }),
    ...(maxLength != null && { maxLength }),
    ...(line && { pattern: LINE }),
  };
}

/** The range of ids, which is smaller than that of their JSON type. */
const ID_RANGE: Schema = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] };

/** Lists of strings that resolvers accept, by their name in `@accepts`. */
const VOCABULARIES = new Map<string, readonly string[]>([
  ['scopes', SCOPES],
  ['eventTypes', EVENT_TYPES],
  ['auditTypes', AUDIT_TYPES],
  ['eventPatterns', TYPE_PATTERNS],
  ['currencies', CURRENCIES],
]);

/** Returns a list of strings by its name. @throws Error if there is no such list. */
export function vocabulary(name: string): readonly string[] {
  const values = VOCABULARIES.get(name);
  if (!values) throw new Error(`@accepts names an unknown list of values: ${name}`);
  return values;
}
