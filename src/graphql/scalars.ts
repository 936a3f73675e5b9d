import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { parseDecimal, writeDecimal } from '../core/decimal.ts';

const RFC_3339 = /^(?<local>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** RFC 3339 on the wire, always UTC with milliseconds; a `Date` inside. Described in base.graphql. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize(value) {
    if (!(value instanceof Date))
      throw new GraphQLError('DateTime cannot represent a value that is not a Date');
    return value.toISOString();
  },
  parseValue(value) {
    const date = typeof value === 'string' ? instantOf(value) : undefined;
    if (!date) {
      throw new GraphQLError('must be a time as RFC 3339 writes it, such as 2026-01-31T09:30:00.000Z');
    }
    return date;
  },
});

/** What the database keeps as JSON, given out as it is. It is in answers only. Described in base.graphql. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  serialize: (value) => value,
});

/**
 * A decimal number. Coming in it is a text inside, by its digits: what was read from JSON prints back as it was written
 * (`src/core/json-text.ts` refuses all else), and a document has the digits themselves. One number has one spelling inside, so that
 * `5` and `5.00` are the same request under an idempotency key. Described in base.graphql.
 */
export const Decimal = new GraphQLScalarType<string, number>({
  name: 'Decimal',
  serialize(value) {
    if (typeof value !== 'number') throw new GraphQLError('Decimal cannot represent what is not a number');
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
    throw new GraphQLError('must be a number');
  },
});

/** The instant that a text names, undefined for a text that names none. */
function instantOf(text: string): Date | undefined {
  const local = RFC_3339.exec(text)?.groups?.['local']?.toUpperCase();
  // `Date` takes the 30th of February for the 2nd of March, and 24:00 for midnight.
  if (local === undefined || isoOf(new Date(`${local}Z`))?.slice(0, local.length) !== local) return undefined;
  const date = new Date(text);
  return isoOf(date) === undefined ? undefined : date;
}

/** As RFC 3339 writes it, undefined for no instant at all and for one outside of the years 0000 to 9999. */
function isoOf(date: Date): string | undefined {
  if (Number.isNaN(date.getTime())) return undefined;
  const iso = date.toISOString();
  return /^\d{4}-/.test(iso) ? iso : undefined;
}
