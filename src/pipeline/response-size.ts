/** Limits the size of the JSON text of a response, before the text is written. */
import { ApiError } from '../core/errors.ts';

/** Maximum number of bytes of one character: those of an escape such as `\u0001`. */
const LONGEST_CHARACTER = 6;

/** Maximum number of bytes of a number, a Boolean, null or a timestamp, such as `-1.2345678901234567e-300`. */
const LONGEST_OTHER = 28;

/** Bytes of a text in addition to its characters: quotes and a comma. */
const AROUND = 3;

/**
 * Refuses a result whose JSON text would have more bytes than allowed. A text may occur many times in a result, but is in memory
 * only once until the result is written.
 *
 * Most results are so small that even the longest escapes could not make them too large. The characters of texts are examined only for
 * larger results.
 *
 * @param result a value to be written as JSON: objects, lists, texts, numbers, dates.
 * @param limit maximum number of bytes.
 * @throws ApiError `response_too_large`.
 */
export function boundResponse(result: unknown, limit: number): void {
  const sizes = { least: 0, most: 0, limit };
  measure(result, sizes);
  if (sizes.most > limit) exactly(result, 0, limit);
}

/** Returns the error of a result that is too large, or undefined. */
export function refusalOfSize(result: unknown, limit: number): ApiError | undefined {
  try {
    boundResponse(result, limit);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** A lower and an upper bound of the bytes of a text, and their limit. */
interface Sizes {
  least: number;
  most: number;
  readonly limit: number;
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
  if (sizes.least > sizes.limit) throw new ApiError('response_too_large');
}

/** Counts the exact number of bytes, and throws as soon as there are too many. */
function exactly(value: unknown, before: number, limit: number): number {
  let bytes = before;
  if (typeof value === 'string') bytes += bytesOf(value);
  else if (Array.isArray(value)) {
    bytes += AROUND;
    for (const element of value) bytes = exactly(element, bytes, limit);
  } else if (isObject(value)) {
    bytes += AROUND;
    for (const name in value) bytes = exactly(value[name], bytes + bytesOf(name), limit);
  } else bytes += String(value).length + 1;
  if (bytes > limit) throw new ApiError('response_too_large');
  return bytes;
}

/** The bytes of a text as JSON, with the following comma or colon. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/** Whether a value is written as a JSON object. Dates are written as texts. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Date);
