/** How large the JSON text of a response will be, found out before the text exists. */
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

/** Bytes that one character takes at most: as an escape such as `\u0001`. */
const LONGEST_CHARACTER = 6;

/** Bytes that a number, a Boolean, null or a timestamp takes at most, such as `-1.2345678901234567e-300`. */
const LONGEST_OTHER = 28;

/** Bytes of a text beside its characters: quotes, and a comma. */
const AROUND = 3;

/**
 * Refuses a result whose JSON text would have more than `LIMITS.responseBytes`. One text may stand in it many times, and is in memory
 * once until it is written.
 *
 * Most results are so small that the longest escapes could not make them too large. Texts are looked at by their characters only
 * where that is not certain.
 *
 * @param result what a JSON text is made of: objects, lists, texts, numbers, dates.
 * @throws ApiError `response_too_large`.
 */
export function boundResponse(result: unknown): void {
  const sizes = { least: 0, most: 0 };
  measure(result, sizes);
  if (sizes.most > LIMITS.responseBytes) exactly(result, 0);
}

/** Why a result is not sent; undefined for one that is. */
export function refusalOfSize(result: unknown): ApiError | undefined {
  try {
    boundResponse(result);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The two bounds of a text's bytes. */
interface Sizes {
  least: number;
  most: number;
}

function measure(value: unknown, sizes: Sizes): void {
  if (typeof value === 'string') measureText(value, sizes);
  else if (Array.isArray(value)) {
    sizes.most += AROUND;
    for (const element of value) measure(element, sizes);
  } else if (isObject(value)) {
    sizes.most += AROUND;
    for (const name in value) {
      measureText(name, sizes);
      measure(value[name], sizes);
    }
  } else sizes.most += LONGEST_OTHER;
}

function measureText({ length }: string, sizes: Sizes): void {
  sizes.least += length;
  sizes.most += length * LONGEST_CHARACTER + AROUND;
  if (sizes.least > LIMITS.responseBytes) throw new ApiError('response_too_large');
}

/** Counts the bytes, and gives up as soon as there are too many. */
function exactly(value: unknown, before: number): number {
  let bytes = before;
  if (typeof value === 'string') bytes += bytesOf(value);
  else if (Array.isArray(value)) {
    bytes += AROUND;
    for (const element of value) bytes = exactly(element, bytes);
  } else if (isObject(value)) {
    bytes += AROUND;
    for (const name in value) bytes = exactly(value[name], bytes + bytesOf(name));
  } else bytes += String(value).length + 1;
  if (bytes > LIMITS.responseBytes) throw new ApiError('response_too_large');
  return bytes;
}

/** With a comma or a colon after it. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/** Dates are written as texts of their own. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Date);
