/** A decimal number, exactly as written. */
interface Decimal {
  readonly negative: boolean;
  /** The significant digits: neither a leading nor a trailing zero, empty for zero itself. */
  readonly digits: string;
  /** The power of ten that the digits, read as an integer, are multiplied by. */
  readonly exponent: number;
}

const NUMBER = /^(?<sign>-?)(?<whole>\d+)(\.(?<fraction>\d+))?([eE](?<exponent>[+-]?\d+))?$/;

/** Reads a number in the notation of JSON (RFC 8259, section 6), GraphQL and JavaScript; undefined for any other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const parts = NUMBER.exec(text)?.groups;
  if (!parts) return undefined;
  const { sign, whole = '', fraction = '', exponent = '0' } = parts;
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = withoutTrailingZeros(written);
  if (digits === '') return { negative: false, digits, exponent: 0 };
  return {
    negative: sign === '-',
    digits,
    exponent: Number(exponent) - fraction.length + (written.length - digits.length),
  };
}

/** Maximum digits before the point that are written out, as in JavaScript; larger numbers have an exponent. */
const WHOLE_DIGITS = 21;

/** Maximum zeros between the point and the first other digit that are written out. */
const LEADING_ZEROS = 5;

/** Writes a number canonically, `5.00` and `50e-1` as `5`: as JavaScript does where it needs no exponent. */
export function writeDecimal({ negative, digits, exponent }: Decimal): string {
  return (negative ? '-' : '') + magnitudeOf(digits, exponent);
}

function magnitudeOf(digits: string, exponent: number): string {
  if (digits === '') return '0';
  const point = digits.length + exponent;
  if (point > WHOLE_DIGITS || point < -LEADING_ZEROS) return `${digits}e${exponent}`;
  if (exponent >= 0) return digits + '0'.repeat(exponent);
  if (point > 0) return `${digits.slice(0, point)}.${digits.slice(point)}`;
  return `0.${'0'.repeat(-point)}${digits}`;
}

/** Removes trailing zeros without a regular expression, which would backtrack at each run of zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}

/** Significant decimal digits that a 64-bit binary number always preserves. */
const ALWAYS_EXACT = 15;

/** Whether a number in JSON keeps its value in JavaScript: `19.99` does, `9007199254740993` and `1e400` do not. */
export function isExactNumber(text: string): boolean {
  if (text.length <= ALWAYS_EXACT && !/e/i.test(text)) return true;
  const written = parseDecimal(text);
  const read = parseDecimal(String(Number(text)));
  if (!written || !read) return false;
  return (
    written.digits === read.digits && written.exponent === read.exponent && written.negative === read.negative
  );
}
