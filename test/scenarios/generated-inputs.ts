/**
 * Generates values for the arguments of any operation from their types. Arguments that name a row or an organisation are slots, which
 * the caller fills; all others get a valid value.
 */
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { constraintOf } from '../../src/graphql/directives/constraint.ts';
import { exampleOf } from '../../src/graphql/directives/values.ts';
import { schema } from '../support/api.ts';

/** An argument, or a member of one, that identifies a row or an organisation. */
export interface Slot {
  /** The path of the value, such as `input.items.0.productId`. */
  readonly path: string;
  /** The last name of the path, without the index of a list. */
  readonly name: string;
  readonly kind: 'id' | 'org';
}

/** An input that needs a value: an argument, a member of an input object, or a variable of a route. */
export interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Its declaration in the SDL, if there is one. */
  readonly declared?: GraphQLArgument | GraphQLInputField | undefined;
}

export type Choose = (slot: Slot) => string | number;

/** Texts for inputs whose format is not visible in their type, by name. */
const TEXTS: Readonly<Record<string, string>> = {
  email: 'somebody@new.test',
  url: 'https://hooks.example.com/new',
  types: 'order.*',
  new_password: 'blue harbour lantern',
  password: 'blue harbour lantern',
};

/** The optional inputs that are included, by path, with the value of an enum. */
export type Included = ReadonlyMap<string, unknown>;

/** Numbers above the minimum, by name: the maximum page size, to read as many rows as possible. */
const NUMBERS: Readonly<Record<string, number>> = { first: 100, last: 100, limit: 100 };

export interface GeneratedValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly slots: readonly Slot[];
  /** For each omitted input, the inputs to include so that it is set as well; for an enum, once per value. */
  readonly further: readonly Included[];
}

/**
 * Generates values for the required inputs and for the included optional ones.
 *
 * @param spell converts the names of inputs, for example to snake_case.
 * @throws Error for a type without a known value.
 */
export function generate(
  inputs: readonly Input[],
  choose: Choose,
  included: Included = new Map(),
  spell: (name: string) => string = (name) => name,
): GeneratedValues {
  const slots: Slot[] = [];
  const further: Included[] = [];

  function members(all: readonly Input[], prefix: string): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const input of all) {
      const name = spell(input.name);
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (isNonNullType(input.type)) values[name] = value(input, input.type, path);
      else if (included.has(path)) values[name] = included.get(path) ?? value(input, input.type, path);
      else {
        const type = getNullableType(input.type);
        const ways = isEnumType(type) ? type.getValues().map((one) => one.name) : [undefined];
        for (const way of ways) further.push(new Map([...included, [path, way]]));
      }
    }
    return values;
  }

  function value(input: Input, type: GraphQLInputType, path: string): unknown {
    const present = getNullableType(type);
    if (isListType(present)) return [value(input, present.ofType, `${path}.0`)];
    const kind = slotKind(input.name, present);
    if (kind) {
      const slot: Slot = { path, name: input.name, kind };
      slots.push(slot);
      return choose(slot);
    }
    if (isInputObjectType(present)) {
      const fields = Object.values(present.getFields());
      return members(
        fields.map((field) => ({ name: field.name, type: field.type, declared: field })),
        path,
      );
    }
    if (isEnumType(present)) return present.getValues()[0]?.name;
    return leaf(present.name, input, path);
  }

  return { values: members(inputs, ''), slots, further };
}

function leaf(type: string, { name, declared }: Input, path: string): unknown {
  const example = declared && exampleOf(schema, declared);
  const { min, minLength } = (declared && constraintOf(schema, declared)) ?? {};
  switch (type) {
    case 'Int':
    case 'Float':
    case 'Decimal':
      return NUMBERS[name] ?? min ?? 1;
    case 'Boolean':
      return true;
    case 'String':
      return TEXTS[name] ?? (typeof example === 'string' ? example : 'text').padEnd(minLength ?? 0, '!');
    case 'JSON':
      return {};
    case 'DateTime':
      return '2026-09-01T12:00:00.000Z';
    default:
      throw new Error(`Add a value for the type ${type} of ${path} here.`);
  }
}

function slotKind(name: string, { name: typeName }: GraphQLNamedInputType): Slot['kind'] | undefined {
  if (name === 'org' && (typeName === 'String' || typeName === 'ID')) return 'org';
  return typeName === 'ID' ? 'id' : undefined;
}
