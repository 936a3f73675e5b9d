/**
 * Values for the arguments of any operation, made from their types. What names a row or an organisation is a slot, which
 * the caller fills; everything else gets some value that is allowed.
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
import { exampleOf } from '../../src/graphql/directives/example.ts';
import { schema } from './operations.ts';

/** An argument or a member of one that says whose row is meant. */
export interface Slot {
  /** From the outside in, joined with dots: `input.items.0.productId`. */
  readonly path: string;
  /** The last name of the path, without the index of a list. */
  readonly name: string;
  readonly kind: 'id' | 'org';
}

/** What is to be filled: an argument, a member of an input object, or a variable of a route. */
export interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** What the SDL says about it, where it was declared there. */
  readonly declared?: GraphQLArgument | GraphQLInputField | undefined;
}

export type Choose = (slot: Slot) => string | number;

/** Texts that have a form which their type does not tell, by the name of what takes them. */
const TEXTS: Readonly<Record<string, string>> = {
  email: 'somebody@new.test',
  url: 'https://hooks.example.com/new',
  types: 'order.*',
  new_password: 'blue harbour lantern',
  password: 'blue harbour lantern',
};

/** What may be left out and is not, by its path; and the value for one that has several to choose from. */
export type Included = ReadonlyMap<string, unknown>;

/** Numbers that are larger than the least allowed, by name: a page that shows as much as a page can. */
const NUMBERS: Readonly<Record<string, number>> = { first: 100, last: 100, limit: 100 };

export interface GeneratedValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly slots: readonly Slot[];
  /** What was left out: for each a way to include it as well, or several for an enum. */
  readonly further: readonly Included[];
}

/**
 * Fills what is required, and what is included beyond that.
 *
 * @param spell how members of input objects are spelled: as they are, or in snake_case.
 * @throws Error for a type that this does not know to make a value of.
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
      throw new Error(`Teach this file to make a ${type}, which ${path} takes.`);
  }
}

function slotKind(name: string, { name: typeName }: GraphQLNamedInputType): Slot['kind'] | undefined {
  if (name === 'org' && (typeName === 'String' || typeName === 'ID')) return 'org';
  return typeName === 'ID' ? 'id' : undefined;
}
