/** Limits the size of the JSON text of a response, before the text is written. */
import { ApiError } from '../core/errors.ts';

/** The bytes of the parts of a JSON text. */
interface PartSizes {
  readonly character: number;
  /** What a text or a composite value has in addition: quotes or brackets, and a comma. */
  readonly around: number;
  /** A number, a Boolean, null or a timestamp. */
  readonly other: number;
}

/** A character can be an escape such as `\u0001`, and a number such as `-1.2345678901234567e-300`. */
const LONGEST: PartSizes = { character: 6, around: 3, other: 28 };
const SHORTEST: PartSizes = { character: 1, around: 2, other: 1 };

/**
 * Refuses a result whose JSON text would have more bytes than allowed, before that text is in memory. Most results are too small even for
 * the longest escapes; only in larger ones the characters of texts are examined.
 *
 * @throws ApiError `response_too_large`.
 */
export function boundResult(result: unknown, limit: number): void {
  if (estimate(result, LONGEST) <= limit) return;
  // Before any text is written to count its bytes.
  if (estimate(result, SHORTEST) > limit) throw new ApiError('response_too_large');
  exactly(result, 0, limit);
}

/** Returns the maximum number of bytes of the JSON text of a value. */
export type Longest = (value: unknown) => number;

export const longest: Longest = (value) => estimate(value, LONGEST);

/** The shape of values: the part of JSON Schema that is passed to fast-json-stringify. */
export interface Shape {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/**
 * Compiles {@link longest} for a shape to code, at the first value, as fast-json-stringify does for the text. Functions that have the names
 * of members as data took seven times as many instructions: 4 % of those of a response with 20 orders and their items.
 */
export function longestOf(shape: Shape): Longest {
  let compiled: Longest | undefined;
  return (value) => {
    compiled ??= compile(shape);
    return compiled(value);
  };
}

function compile(shape: Shape): Longest {
  const functions: string[] = [];
  const bytes = bytesIn(shape, 'value', functions);
  const code = `${functions.join('\n')}\nreturn (value) => ${bytes};`;
  return new Function('text', 'any', 'isComposite', code)(longestText, longest, isComposite);
}

/**
 * Returns an expression for the maximum bytes of a value.
 *
 * @param value an expression.
 * @param functions the functions that the expression calls. Theirs are added.
 */
function bytesIn(shape: Shape, value: string, functions: string[]): string {
  const { type, properties, items } = shape;
  if (isFixed(shape)) return String(LONGEST.other);
  if (!properties && !items) return `${type === 'string' ? 'text' : 'any'}(${value})`;
  const body = properties ? bodyOfObject(properties, functions) : bodyOfList(items ?? {}, functions);
  const name = `bytes${functions.length}`;
  functions.push(`function ${name}(value) {${body}}`);
  return `${name}(${value})`;
}

function bodyOfObject(properties: Readonly<Record<string, Shape>>, functions: string[]): string {
  const members = Object.entries(properties).map(([name, shape]) => {
    const around = name.length * LONGEST.character + LONGEST.around;
    return `${around} + ${bytesIn(shape, `value[${JSON.stringify(name)}]`, functions)}`;
  });
  return `return isComposite(value) ? ${[LONGEST.around, ...members].join(' + ')} : ${LONGEST.other};`;
}

function bodyOfList(items: Shape, functions: string[]): string {
  return `if (!Array.isArray(value)) return ${LONGEST.other};
    let bytes = ${LONGEST.around};
    for (const element of value) bytes += ${bytesIn(items, 'element', functions)};
    return bytes;`;
}

/** Whether all values of a shape count the same. */
const isFixed = ({ type, format }: Shape): boolean =>
  type === 'integer' || type === 'number' || type === 'boolean' || format !== undefined;

/** Also for an id that is a number. */
const longestText: Longest = (value) =>
  typeof value === 'string' ? value.length * LONGEST.character + LONGEST.around : LONGEST.other;

function estimate(value: unknown, sizes: PartSizes): number {
  if (typeof value === 'string') return value.length * sizes.character + sizes.around;
  if (!isComposite(value)) return sizes.other;
  let bytes = sizes.around;
  if (Array.isArray(value)) {
    for (const element of value) bytes += estimate(element, sizes);
    return bytes;
  }
  for (const name in value) {
    bytes += name.length * sizes.character + sizes.around + estimate(value[name], sizes);
  }
  return bytes;
}

/** Counts the exact number of bytes, and throws as soon as there are too many. */
function exactly(value: unknown, before: number, limit: number): number {
  let bytes = before;
  if (typeof value === 'string') bytes += bytesOf(value);
  else if (!isComposite(value)) bytes += String(value).length + 1;
  else {
    bytes += LONGEST.around;
    if (Array.isArray(value)) for (const element of value) bytes = exactly(element, bytes, limit);
    else for (const name in value) bytes = exactly(value[name], bytes + bytesOf(name), limit);
  }
  if (bytes > limit) throw new ApiError('response_too_large');
  return bytes;
}

/** The bytes of a text as JSON, with the following comma or colon. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/** Whether a value is written as a JSON object or list. Dates are written as texts. */
const isComposite = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Date);
