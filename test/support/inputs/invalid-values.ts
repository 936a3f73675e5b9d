/** Values that the schemas of openapi.json exclude, for each value that a request has. */
import fc from 'fast-check';
import type { Parameter, Schema } from '../../../src/rest/openapi/types.ts';
import { resolved, valuesOf } from './openapi-requests.ts';

/** Where a value is: the names and indexes from the outermost to the innermost. */
type Path = readonly (string | number)[];

/** A value that a schema describes: a body, a member, an element or a parameter. */
export interface Place {
  readonly path: Path;
  readonly schema: Schema;
  /** The accepted types of JSON. Empty if any value is accepted. */
  readonly types: readonly string[];
  readonly required: boolean;
  /** Whether its object requires no member. Some of these objects accept only one, so the others are left out. */
  readonly alone: boolean;
}

/** An invalid value. */
export interface Fault extends Pick<Place, 'path' | 'alone'> {
  /** Undefined to leave it out. */
  readonly value: unknown;
}

/** Lists a value and all values in it, with the first and the last element of each list. */
export function placesIn(given: Schema, path: Path = [], required = false, alone = false): Place[] {
  const alternatives = (resolved(given).anyOf ?? [given]).map(resolved);
  // The only alternative to a value is null.
  const schema: Schema = Object.assign({}, ...alternatives);
  const { items, properties = {}, required: names = [] } = schema;
  return [
    { path, schema, types: alternatives.flatMap(({ type = [] }) => type), required, alone },
    ...(items ? [0, 1].flatMap((index) => placesIn(items, [...path, index])) : []),
    ...Object.entries(properties).flatMap(([name, member]) =>
      placesIn(member, [...path, name], names.includes(name), names.length === 0),
    ),
  ];
}

/** A string that a lenient server would read as a number. In GraphQL, it is an id. */
export const DIGIT = '1';

/** A value of each type of JSON. */
const OF_TYPES = { null: null, string: DIGIT, number: 0.5, boolean: true, array: [], object: {} };

/** Each pattern excludes one of these. */
const TEXTS = ['a\nb', '!'];

/** Returns one of these strings in the wrong case. */
function misspelt(accepted: readonly unknown[]): string | undefined {
  const swapped = accepted
    .map(String)
    .map((text) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()));
  return swapped.find((text) => !accepted.includes(text));
}

const sampleOf = (schema: Schema) => fc.sample(valuesOf(schema), { seed: 1, numRuns: 1 })[0];

/** Lists the invalid values for a place. */
export function faultsOf({ path, schema, types, required, alone }: Place): Fault[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, pattern, minItems, maxItems } = schema;
  const wrongTypes = Object.entries(OF_TYPES).filter(([type]) => types.length > 0 && !types.includes(type));
  const values = [
    ...(required ? [undefined] : []),
    ...wrongTypes.map(([, value]) => value),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
    ...(minLength ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(pattern === undefined ? [] : [TEXTS.find((text) => !new RegExp(pattern, 'u').test(text))]),
    ...(schema.enum ? [misspelt(schema.enum)] : []),
    ...(schema.format && types.includes('string') ? ['. . .'] : []),
    ...(minItems ? [[]] : []),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill(sampleOf(schema.items ?? {}))]),
  ];
  return [
    ...values.map((value) => ({ path, alone, value })),
    ...(schema.properties
      ? [{ path: [...path, 'surprise'], alone: !schema.required?.length, value: 1 }]
      : []),
  ];
}

/** Returns a valid value with a fault in it. A list gets two elements. */
export function withFault(valid: unknown, { path: [name, ...path], alone, ...fault }: Fault): unknown {
  if (name === undefined) return fault.value;
  const inside = (value: unknown) => withFault(value, { path, alone, ...fault });
  if (typeof name === 'number') {
    const [first] = Array.isArray(valid) ? valid : [];
    return [first, first].with(name, inside(first));
  }
  const others: Record<string, unknown> = alone && path.length === 0 ? {} : { ...Object(valid) };
  return { ...others, [name]: inside(others[name]) };
}

/** Integers that no server may read: each has another spelling. */
const SPELLINGS = ['x', '01', '1e0', '1.0', '+1', ' 1'];

/** An invalid value of a parameter, as clients of GraphQL send it, and its texts in REST. Several texts repeat the parameter. */
export interface TextFault extends Pick<Fault, 'path' | 'value'> {
  readonly texts: readonly string[];
}

/** Lists the invalid values of a parameter. A string in a path has none: if it is not found, the path is unknown. */
export function textFaultsOf({ name, in: where, schema }: Parameter): TextFault[] {
  const isList = schema.type === 'array';
  const isInteger = schema.type === 'integer';
  const isNumber = isInteger || schema.type === 'number';
  const isFree = schema.type === 'string' && !schema.enum && !schema.format;
  if (where === 'header' || (where === 'path' && !isInteger)) return [];
  const valid = sampleOf(isList ? { ...schema, minItems: 1 } : schema);
  const values = placesIn(schema)
    .flatMap(faultsOf)
    .map((fault) => ({ path: [name, ...fault.path], value: withFault(valid, fault) }))
    // A text may be a string or an element of a list, but not an empty list.
    .filter(({ path: [, index], value }) => {
      if (isFree) return typeof value === 'string';
      // The text of a number is a number there.
      if (isNumber) return typeof value !== 'string';
      return !isList || index !== undefined || (Array.isArray(value) && value.length > 0);
    });
  const spelled = isInteger ? SPELLINGS.map((value) => ({ path: [name], value })) : [];
  const twice = isList ? [] : [{ path: [name], value: [valid, valid] }];
  return [...values, ...spelled, ...twice]
    .map(({ path, value }) => {
      const isRepeated = Array.isArray(value) && value.length > 0;
      return { path, value, texts: isRepeated ? value.map(String) : [String(value)] };
    })
    .filter(({ texts }) => where === 'query' || (texts.length === 1 && texts[0] !== ''));
}
