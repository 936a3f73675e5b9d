import {
  GRAPHQL_MAX_INT,
  GRAPHQL_MIN_INT,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import { isExactNumber } from '../../core/decimal.ts';
import { type ErrorDetail, isFull } from '../../core/errors.ts';
import { isRecord } from '../../core/json.ts';
import { PLAIN } from '../../pipeline/plain-variables.ts';
import { enumText, snakeCase } from '../compile/spelling.ts';

/** Turns what a client sent into the value of a variable. Any problem is added to `details`, and the value is then meaningless. */
export type Coerce = (value: unknown, path: string, details: ErrorDetail[]) => unknown;

/** Returns the value of a leaf, or its problem. */
type Leaf = (value: unknown) => { value: unknown } | { problem: string };

/** The value of a parameter whose text is not percent-encoded UTF-8. */
export const ILL_FORMED = Symbol('ill-formed');

/** Returns the name of an unknown member or parameter as a path. An empty path is that of the whole body. */
export const visible = (name: string): string => name || '""';

/** Coerces values of a JSON body. Its members are snake_case, those of the schema camelCase. */
export function fromJson(type: GraphQLInputType): Coerce {
  const coerce = nullable(getNullableType(type));
  const required = isNonNullType(type);
  return (value, path, details) => {
    if (value !== null) return coerce(value, path, details);
    if (required) details.push({ path, message: 'must not be null' });
    return null;
  };
}

/** @param problem the problem of an invalid leaf, instead of its own. */
function nullable(type: GraphQLInputType, problem?: string): Coerce {
  if (isListType(type)) {
    const element = fromJson(type.ofType);
    return (value, path, details) => {
      if (Array.isArray(value)) {
        return value.map((item, index) =>
          isFull(details) ? undefined : element(item, `${path}.${index}`, details),
        );
      }
      details.push({ path, message: 'must be a list' });
      return undefined;
    };
  }
  if (isInputObjectType(type)) return fromObject(type);
  const leaf = leafOf(type);
  return (value, path, details) => {
    const outcome = leaf(value);
    if ('value' in outcome) return outcome.value;
    details.push({ path, message: problem ?? outcome.problem });
    return undefined;
  };
}

/** An input type may contain itself, so each is entered here before its members are read. */
const membersOfType = new WeakMap<GraphQLInputObjectType, Member[]>();

function fromObject(type: GraphQLInputObjectType): Coerce {
  const known = membersOfType.get(type);
  const members = known ?? [];
  if (!known) {
    membersOfType.set(type, members);
    for (const field of Object.values(type.getFields())) {
      members.push({
        wireName: snakeCase(field.name),
        name: field.name,
        coerce: fromJson(field.type),
        required: isRequiredInputField(field),
      });
    }
  }
  return (value, path, details) => coerceMembers(members, value, path, details);
}

/** A member of an object, with its names on the wire and in the schema. */
interface Member {
  readonly wireName: string;
  readonly name: string;
  readonly coerce: Coerce;
  readonly required: boolean;
}

/** Coerces an object; an empty path is that of the body. An unknown member is refused, so that a misspelt one is never dropped. */
export function coerceMembers(
  members: readonly Member[],
  value: unknown,
  path: string,
  details: ErrorDetail[],
): Record<string, unknown> | undefined {
  if (!isRecord(value)) {
    details.push({ path, message: 'must be an object' });
    return undefined;
  }
  const prefix = path === '' ? '' : `${path}.`;
  const coerced: Record<string, unknown> = {};
  let known = 0;
  for (const { wireName, name, coerce, required } of members) {
    if (Object.hasOwn(value, wireName)) {
      known += 1;
      coerced[name] = coerce(value[wireName], prefix + wireName, details);
    } else if (required) details.push({ path: prefix + wireName, message: 'is required' });
  }
  const sent = Object.keys(value);
  if (known < sent.length) {
    const names = new Set(members.map((member) => member.wireName));
    for (const name of sent) {
      if (isFull(details)) break;
      if (names.has(name)) continue;
      details.push({ path: prefix + visible(name), message: 'is not a member of this object' });
    }
  }
  return coerced;
}

/** The problem of an integer in a text: all are numbers or sizes of pages, which begin at 1. Their `@constraint` refuses smaller ones. */
const COUNT = `must be an integer from 1 to ${GRAPHQL_MAX_INT}`;

/** Coerces values of a path, a query or a header. A list is a repeated parameter. `count` is the problem of an invalid `Int`. */
export function fromText(type: GraphQLInputType, count = COUNT): Coerce {
  const wanted = getNullableType(type);
  if (isListType(wanted)) {
    const element = fromText(wanted.ofType);
    return (value, path, details) =>
      Array.isArray(value)
        ? value.map((item, index) =>
            isFull(details) ? undefined : element(item, `${path}.${index}`, details),
          )
        : [element(value, path, details)];
  }
  const read = textReader(wanted);
  const coerce = nullable(wanted, isScalarType(wanted) && wanted.name === 'Int' ? count : undefined);
  return (value, path, details) => {
    if (typeof value === 'string') return coerce(read(value), path, details);
    details.push({ path, message: problemOfText(value) });
    return undefined;
  };
}

/** Only arguments of tools can be objects, or lists that do not repeat a parameter. */
function problemOfText(value: unknown): string {
  if (value === ILL_FORMED) return 'must be percent-encoded UTF-8';
  const isRepeated = Array.isArray(value) && value.length > 1;
  return isRepeated ? 'must appear only once' : 'must be a string, a number, true or false';
}

/** Coerces a page size. Page sizes are capped, so an integer beyond 32 bits is accepted like any other above the maximum. */
export function pageSizeFromText(type: GraphQLInputType): Coerce {
  const coerce = fromText(
    type,
    'must be an integer of at least 1; more than the maximum counts as the maximum',
  );
  return (value, path, details) => {
    const isBeyond = typeof value === 'string' && /^[1-9]\d*$/.test(value) && Number(value) > GRAPHQL_MAX_INT;
    return coerce(isBeyond ? String(GRAPHQL_MAX_INT) : value, path, details);
  };
}

/** A number as JSON writes it, without an exponent. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Returns a reader from text to a JSON value. It returns an invalid text unchanged, which is then refused as a leaf. */
function textReader(type: GraphQLInputType): (text: string) => unknown {
  if (isEnumType(type)) {
    // `-created_at` cannot be the name of an enum value, so the schema says `created_at_desc`.
    return (text) => (text.startsWith('-') ? `${text.slice(1)}_desc` : text.endsWith('_desc') ? '' : text);
  }
  switch (isScalarType(type) ? type.name : '') {
    case 'Int':
    case 'ID':
      // Each number has exactly one spelling: no leading zeros, no minus zero.
      return (text) => (/^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : text);
    case 'Float':
      return (text) => (NUMBER.test(text) ? Number(text) : text);
    case 'Decimal':
      return (text) => (NUMBER.test(text) && isExactNumber(text) ? Number(text) : text);
    case 'Boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : text);
    default:
      return (text) => text;
  }
}

function leafOf(type: GraphQLInputType): Leaf {
  if (isEnumType(type)) {
    const names = type.getValues().map((value) => value.name);
    const allowed = names.map(enumText).join(', ');
    return (value) =>
      typeof value === 'string' && names.includes(value)
        ? { value }
        : { problem: `must be one of ${allowed}` };
  }
  if (!isScalarType(type)) throw new TypeError(`${String(type)} is not a leaf`);
  const problemOf = PROBLEMS[type.name];
  const test = type.name === 'ID' ? isId : PLAIN[type.name];
  if (problemOf && test) return (value) => (test(value) ? { value } : { problem: problemOf(value) });
  return (value) => {
    try {
      type.parseValue(value);
      // The unparsed value, since the executor parses it again.
      return { value };
    } catch (error) {
      if (error instanceof GraphQLError) return { problem: error.message };
      throw error;
    }
  };
}

/** Ids are integers in REST. */
const isId = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;

/** Return the problem of an invalid value of one of GraphQL's built-in scalars. */
const PROBLEMS: Readonly<Record<string, (value: unknown) => string>> = {
  // A `@constraint` is narrower than these bounds, so they are only for integers beyond them.
  Int: (value) =>
    Number.isInteger(value)
      ? `must be an integer from ${GRAPHQL_MIN_INT} to ${GRAPHQL_MAX_INT}`
      : 'must be an integer',
  ID: () => 'must be a positive integer',
  Float: () => 'must be a number',
  String: () => 'must be a string',
  Boolean: () => 'must be true or false',
};
