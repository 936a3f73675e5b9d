import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import { parseDecimal, writeDecimal } from '../core/decimal.ts';
import { isInRange, TruncatedDate } from '../core/time-range.ts';

const RFC_3339 = /^(?<local>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** Matches a time between two milliseconds. */
const BELOW_MILLISECONDS = /\.\d{3}\d*[1-9]/;

/** The problem of a literal. graphql-js adds the value, type and location to it, unlike to a `GraphQLError` of `parseLiteral`. */
class InvalidLiteral extends Error {
  override readonly name = 'InvalidLiteral';
}

/** A timestamp in the years 0001 to 9999: RFC 3339 on the wire, always written in UTC with milliseconds; a `Date` internally. Described in base.graphql. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize(value) {
    if (!(value instanceof Date))
      throw new GraphQLError('DateTime cannot represent a value that is not a Date');
    return value.toISOString();
  },
  parseValue: (value) => dateOf(value, GraphQLError),
  parseLiteral: (node, variables) => dateOf(valueFromASTUntyped(node, variables), InvalidLiteral),
});

/** A JSON value from the database, returned unchanged. It occurs only in responses. Described in base.graphql. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  serialize: (value) => value,
});

/**
 * A decimal number. An input value is a text of its digits internally: a number that was read from JSON prints as it was written
 * (`src/core/json.ts` refuses all others), and a literal in a document has the digits themselves. The text is normalised, so that
 * `5` and `5.00` are the same request under an idempotency key. Described in base.graphql.
 */
export const Decimal = new GraphQLScalarType<string, number>({
  name: 'Decimal',
  serialize(value) {
    if (typeof value !== 'number')
      throw new GraphQLError('Decimal cannot represent a value that is not a number');
    return value;
  },
  parseValue(value) {
    const number = typeof value === 'number' ? parseDecimal(String(value)) : undefined;
    if (number) return writeDecimal(number);
    throw new GraphQLError('must be a number');
  },
  parseLiteral(node) {
    const number = node.kind === Kind.INT || node.kind === Kind.FLOAT ? parseDecimal(node.value) : undefined;
    if (number) return writeDecimal(number);
    throw new InvalidLiteral('must be a number');
  },
});

/** Returns a timestamp. @throws Problem for an invalid one. */
function dateOf(value: unknown, Problem: new (message: string) => Error): Date {
  const date = typeof value === 'string' ? instantOf(value) : undefined;
  if (!date)
    throw new Problem(
      `must be a time as RFC 3339 writes it, such as 2026-01-31T09:30:00.000Z${hintOf(value)}`,
    );
  if (!isInRange(date.getTime())) throw new Problem('must be in the years 0001 to 9999 in UTC');
  return date;
}

/** A hint for a time whose `+` was not encoded in a query string, where it stands for a space. */
const hintOf = (value: unknown): string =>
  typeof value === 'string' && instantOf(value.replace(' ', '+')) ? '; in a URL, write + as %2B' : '';

/** Parses a timestamp; undefined for an invalid one. */
function instantOf(text: string): Date | undefined {
  const local = RFC_3339.exec(text)?.groups?.['local']?.toUpperCase();
  // `Date` reads 30 February as 2 March (or 1 March), and 24:00 as midnight, so the result is compared with the text.
  if (local === undefined || isoOf(new Date(`${local}Z`))?.slice(0, local.length) !== local) return undefined;
  const date = BELOW_MILLISECONDS.test(text) ? new TruncatedDate(text) : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Formats a date; undefined for an invalid one. */
const isoOf = (date: Date): string | undefined =>
  Number.isNaN(date.getTime()) ? undefined : date.toISOString();
