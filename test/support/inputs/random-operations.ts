/**
 * Random operations of the schema, as clients could send them: with aliases, merged fields, fragments and inline fragments, conditions,
 * and literals and variables of all types, including absent and null ones. Most are valid; validation rejects the others.
 */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { nodeIdOf } from '../../../src/graphql/nodes.ts';
import { schema } from '../api.ts';
import { randomIntegers } from './random-integers.ts';

export interface RandomOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export type OperationKind = 'query' | 'mutation';

type Selectable = GraphQLObjectType | GraphQLInterfaceType;

/** Fields that return a different result for the second call. */
const REMEMBERED: ReadonlySet<string> = new Set(['login', 'refreshSession', 'logout']);

/** Levels of objects below the root. */
const DEPTH = 3;

/** Values of arguments by name. Most of them match rows in the demo data. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  id: [
    1,
    2,
    3,
    7,
    61,
    999,
    'x',
    ...['Order', 'User', 'Product', 'Document'].map((type) => nodeIdOf(type, 1)),
  ],
  userId: [1, 2, 3, 4],
  documentId: [1, 2, 3, 4],
  webhookId: [1],
  chargeId: [1],
  org: ['acme', 'globex', 'initech'],
  first: [0, 1, 2, 5, 101, -1],
  last: [0, 1, 2, 5, -1],
  limit: [1, 3, 101],
  page: [1, 2, 99],
  after: ['x'],
  types: [['order.created'], ['document.updated', 'order.cancelled'], []],
};

const SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, -1, 2147483647],
  Float: [0, 1.5, -2],
  Decimal: [0, 1, 5.25, 19.99],
  Boolean: [true, false],
  String: ['', 'a', 'ä "quoted" \\ line', '\u{1f600}'],
  ID: ['1', '2', 'x'],
  DateTime: ['2026-08-01T12:00:00.000Z', '2026-08-01', 'soon'],
  JSON: [{ a: 1 }],
};

/** Returns a generator of operations. @param seed determines the sequence of operations. */
export function randomOperations(seed: number, kind: OperationKind = 'query'): () => RandomOperation {
  const between = randomIntegers(seed);
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!type) throw new Error(`The schema has no ${kind} type.`);
  return () => new Generator(between).operation(kind, type);
}

class Generator {
  readonly #between: (min: number, max: number) => number;
  readonly #definitions: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  readonly #fragments: string[] = [];

  constructor(between: (min: number, max: number) => number) {
    this.#between = between;
  }

  operation(kind: OperationKind, type: GraphQLObjectType): RandomOperation {
    const selection = this.#selection(type, DEPTH);
    const definitions = this.#definitions.length > 0 ? `(${this.#definitions.join(', ')})` : '';
    const query = [`${kind} Random${definitions} ${selection}`, ...this.#fragments].join('\n');
    return { query, variables: this.#variables };
  }

  #oneIn(many: number): boolean {
    return this.#between(1, many) === 1;
  }

  #pick<T>(list: readonly T[]): T {
    // The list is never empty.
    return list[this.#between(0, list.length - 1)] as T;
  }

  #selection(type: Selectable, depth: number): string {
    const fields = Object.values(type.getFields()).filter(({ name }) => !REMEMBERED.has(name));
    const leafs = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const objects = fields.filter((field) => !isLeafType(getNamedType(field.type)));
    const parts: string[] = [];
    const count = this.#between(1, 3);
    for (let index = 0; index < count; index += 1) {
      const deeper = depth > 0 && objects.length > 0 && (leafs.length === 0 || this.#oneIn(2));
      if (deeper) parts.push(this.#field(this.#pick(objects), depth));
      else if (leafs.length > 0) parts.push(this.#field(this.#pick(leafs), depth));
      else parts.push('__typename');
    }
    if (this.#oneIn(4)) parts.push('__typename');
    if (depth > 0 && isInterfaceType(type)) parts.push(this.#narrowed(type, depth));
    else if (isObjectType(type) && type.getInterfaces().length > 0 && this.#oneIn(6)) {
      parts.push(this.#widened(this.#pick(type.getInterfaces())));
    }
    // A repeated selection, which the server merges.
    if (this.#oneIn(5)) parts.push(this.#pick(parts));
    const text = `{ ${parts.map((part) => this.#wrapped(part, type)).join(' ')} }`;
    return text;
  }

  /** Selects fields of one of the types of an interface. */
  #narrowed(type: GraphQLInterfaceType, depth: number): string {
    const narrower = this.#pick(schema.getPossibleTypes(type));
    return `... on ${narrower.name}${this.#condition()} ${this.#selection(narrower, depth - 1)}`;
  }

  /** Selects fields of an interface of the type. */
  #widened(type: GraphQLInterfaceType): string {
    return `... on ${type.name}${this.#condition()} ${this.#selection(type, 0)}`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const alias = this.#oneIn(4) ? `a${this.#between(1, 3)}_${field.name}: ` : '';
    const given = field.args.flatMap((argument) => {
      if (!isNonNullType(argument.type) && this.#oneIn(2)) return [];
      return [`${argument.name}: ${this.#argument(argument.name, argument.type)}`];
    });
    const named = getNamedType(field.type);
    const below =
      isObjectType(named) || isInterfaceType(named) ? ` ${this.#selection(named, depth - 1)}` : '';
    const args = given.length > 0 ? `(${given.join(', ')})` : '';
    return `${alias}${field.name}${args}${this.#condition()}${below}`;
  }

  #wrapped(part: string, type: Selectable): string {
    if (this.#oneIn(6)) return `... on ${this.#typeAmong(type)}${this.#condition()} { ${part} }`;
    if (this.#oneIn(8)) return `...${this.#condition()} { ${part} }`;
    if (this.#oneIn(8)) {
      const name = `F${this.#fragments.length}`;
      this.#fragments.push(`fragment ${name} on ${this.#typeAmong(type)} { ${part} }`);
      return `...${name}${this.#condition()}`;
    }
    return part;
  }

  /** Returns the type itself or, for an interface, possibly one of its types. */
  #typeAmong(type: Selectable): string {
    return this.#pick(isInterfaceType(type) ? [type, ...schema.getPossibleTypes(type)] : [type]).name;
  }

  #condition(): string {
    if (!this.#oneIn(10)) return '';
    const value = this.#oneIn(2) ? String(this.#oneIn(2)) : this.#defaulted('Boolean!', this.#oneIn(2));
    return ` @${this.#pick(['skip', 'include'])}(if: ${value})`;
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#definitions.length}`;
    this.#definitions.push(`$${name}: ${type}`);
    if (value !== undefined) this.#variables[name] = value;
    return `$${name}`;
  }

  #argument(name: string, type: GraphQLInputType): string {
    const value = this.#value(name, type);
    return this.#oneIn(3) ? this.#variableFor(name, type, value) : this.#literal(value, type);
  }

  #variableFor(name: string, type: GraphQLInputType, value: unknown): string {
    if (this.#oneIn(3)) {
      // A nullable variable with a default other than null may also be used where null is not allowed.
      const accepted = this.#oneIn(2) ? getNullableType(type) : type;
      const byDefault = this.#value(name, type);
      return this.#defaulted(String(accepted), this.#oneIn(6) ? null : value, literal(byDefault, type));
    }
    // Only for nullable arguments: other variables without a default are required.
    const isAbsent = !isNonNullType(type) && this.#oneIn(4);
    return this.#variable(String(type), isAbsent ? undefined : value);
  }

  /** A variable with a default, which is often omitted. */
  #defaulted(type: string, value: unknown, byDefault: string = String(this.#oneIn(2))): string {
    return this.#variable(`${type} = ${byDefault}`, this.#oneIn(2) ? undefined : value);
  }

  /** Formats a value as a literal, in which some elements and members are variables. */
  #literal(value: unknown, type: GraphQLInputType): string {
    const within = (name: string, element: unknown, elementType: GraphQLInputType) =>
      this.#oneIn(5) ? this.#variableFor(name, elementType, element) : this.#literal(element, elementType);
    return literal(value, type, within);
  }

  #value(name: string, type: GraphQLInputType): unknown {
    if (!isNonNullType(type) && this.#oneIn(6)) return null;
    const known = KNOWN[name];
    if (known && this.#between(1, 10) > 1) return this.#pick(known);
    const present = getNullableType(type);
    if (isListType(present)) {
      return Array.from({ length: this.#between(0, 2) }, () => this.#value('', present.ofType));
    }
    if (isInputObjectType(present)) {
      const fields = Object.values(present.getFields());
      const chosen = fields.filter((field) => isNonNullType(field.type) || this.#oneIn(2));
      return Object.fromEntries(chosen.map((field) => [field.name, this.#value(field.name, field.type)]));
    }
    if (isEnumType(present)) return this.#pick(present.getValues()).name;
    return this.#pick(SCALARS[present.name] ?? ['']);
  }
}

type Formatter = (name: string, value: unknown, type: GraphQLInputType) => string;

/** Formats a value as a GraphQL literal: enum values and member names have no quotes. @param within formats elements and members. */
function literal(
  value: unknown,
  type: GraphQLInputType,
  within: Formatter = (_name, each, eachType) => literal(each, eachType),
): string {
  const present = getNullableType(type);
  if (value === null) return 'null';
  if (isListType(present)) {
    const values = Array.isArray(value) ? value : [value];
    return `[${values.map((each) => within('', each, present.ofType)).join(', ')}]`;
  }
  if (isInputObjectType(present)) {
    const fields = present.getFields();
    const members = Object.entries(Object(value)).map(([name, member]) => {
      const field = fields[name];
      return field ? `${name}: ${within(name, member, field.type)}` : '';
    });
    return `{${members.filter((member) => member !== '').join(', ')}}`;
  }
  if (isEnumType(present)) return String(value);
  if (present.name === 'JSON') return '{a: 1}';
  return JSON.stringify(value);
}
