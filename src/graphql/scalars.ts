import { GraphQLError, GraphQLScalarType } from 'graphql';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** RFC 3339 on the wire, always UTC with milliseconds; a `Date` inside. Described in base.graphql. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize(value) {
    if (!(value instanceof Date))
      throw new GraphQLError('DateTime cannot represent a value that is not a Date');
    return value.toISOString();
  },
  parseValue(value) {
    const date = typeof value === 'string' && RFC_3339.test(value) ? new Date(value) : undefined;
    if (!date || Number.isNaN(date.getTime())) {
      throw new GraphQLError('must be a time as RFC 3339 writes it, such as 2026-01-31T09:30:00.000Z');
    }
    return date;
  },
});

/** What the database keeps as JSON, given out as it is. It is in answers only. Described in base.graphql. */
export const Json = new GraphQLScalarType<unknown, unknown>({ name: 'JSON', serialize: (value) => value });
