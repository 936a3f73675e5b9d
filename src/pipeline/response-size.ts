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
