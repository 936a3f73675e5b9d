import type { Schema } from './types.ts';

/** Stands where a text has no example of its own. */
export const FILLER = 'text';

/** How deep an example goes into a type that contains itself. */
const DEEPEST = 8;

/**
 * A value that fits a schema: its own example where it has one, else its default, else the plainest value of its type.
 *
 * @param find the schema that a `$ref` names.
 */
export function sampleOf(schema: Schema, find: (ref: string) => Schema, depth = 0): unknown {
  const [own] = schema.examples ?? [];
  if (own !== undefined) return own;
  if (schema.$ref !== undefined) return sampleOf(find(schema.$ref), find, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const alternative = schema.anyOf?.[0];
  if (alternative) return sampleOf(alternative, find, depth + 1);
  return plainest(schema, find, depth);
}

function plainest(schema: Schema, find: (ref: string) => Schema, depth: number): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => depth < DEEPEST || schema.required?.includes(name))
          .map(([name, member]) => [name, sampleOf(member, find, depth + 1)]),
      );
    case 'array':
      return schema.items && depth < DEEPEST ? [sampleOf(schema.items, find, depth + 1)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return plainText(schema);
    default:
      return {};
  }
}

function plainText({ format, minLength = 0, maxLength }: Schema): string {
  if (format === 'date-time') return '2026-01-31T09:30:00.000Z';
  return FILLER.padEnd(minLength, '.').slice(0, maxLength);
}
