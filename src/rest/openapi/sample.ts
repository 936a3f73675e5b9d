import type { Schema } from './types.ts';

/** The sample of a text without an example. */
export const FILLER = 'text';

/** Maximum depth of an example of a type that contains itself. */
const DEEPEST = 8;

/** Returns a value that matches a schema: its example, its default, or a minimal value. `find` resolves a `$ref`. */
export function sampleOf(schema: Schema, find: (ref: string) => Schema, depth = 0): unknown {
  const [own] = schema.examples ?? [];
  if (own !== undefined) return own;
  if (schema.$ref !== undefined) return sampleOf(find(schema.$ref), find, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const alternative = schema.anyOf?.[0];
  if (alternative) return sampleOf(alternative, find, depth + 1);
  return minimalValue(schema, find, depth);
}

function minimalValue(schema: Schema, find: (ref: string) => Schema, depth: number): unknown {
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
