import { DocumentError, type OperationDocument } from '../compile/documents.ts';
import type { Response, Schema } from './types.ts';

/** The sample of a text without an example. */
export const FILLER = 'text';

/** Maximum depth of an example of a type that contains itself. */
const DEEPEST = 8;

/** Schemas and responses that several operations share: each has a name and is written once. */
export class Components {
  readonly #schemas = new Map<string, Schema>();
  readonly #responses = new Map<string, Response>();

  /** The schemas in alphabetical order, so that a new one does not move the others. */
  get schemas(): Record<string, Schema> {
    return sorted(this.#schemas);
  }

  get responses(): Record<string, Response> {
    return sorted(this.#responses);
  }

  /** Adds a schema, which may refer to itself: `make` is called once, after the name is reserved. */
  define(name: string, make: () => Schema): Schema {
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      this.#schemas.set(name, make());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  response(name: string, make: () => Response): { $ref: string } {
    if (!this.#responses.has(name)) this.#responses.set(name, make());
    return { $ref: `#/components/responses/${name}` };
  }

  /**
   * Returns the schema of a response, with every object as a named component: its title, with the operation's name if that is taken.
   *
   * @throws DocumentError if two shapes of the response would have the same name.
   */
  shape(schema: Schema, owner: OperationDocument): Schema {
    const { title, properties, items, ...rest } = schema;
    if (items) return { ...rest, items: this.shape(items, owner) };
    if (!properties || title === undefined) return rest;
    const { description, examples, ...own } = rest;
    const object: Schema = {
      ...own,
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, this.shape(member, owner)]),
      ),
    };
    const reference = this.define(this.#freeName(title, owner, object), () => object);
    const said = { ...(description !== undefined && { description }), ...(examples && { examples }) };
    return Array.isArray(schema.type)
      ? { ...said, anyOf: [reference, { type: 'null' }] }
      : { ...said, ...reference };
  }

  #freeName(title: string, { name: owner, definition }: OperationDocument, object: Schema): string {
    const names = [title, `${title}Of${owner}`];
    const name = names.find((each) => {
      const taken = this.#schemas.get(each);
      return taken === undefined || JSON.stringify(taken) === JSON.stringify(object);
    });
    if (name === undefined) {
      throw new DocumentError(
        definition,
        `${owner} selects ${title} in several shapes, and each needs a name in OpenAPI. Make each of them a fragment.`,
      );
    }
    return name;
  }

  /** Returns a value that matches the schema. */
  sample(schema: Schema): unknown {
    return sampleOf(schema, (ref) => this.#find(ref));
  }

  /** Whether an object of this schema has required members. */
  hasRequired({ $ref, required }: Schema): boolean {
    return ($ref === undefined ? required : this.#find($ref).required)?.[0] !== undefined;
  }

  #find(ref: string): Schema {
    return this.#schemas.get(ref.split('/').at(-1) ?? '') ?? {};
  }
}

function sorted<Value>(map: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a value that matches a schema: its example, its default, or a minimal value. `find` resolves a `$ref`. */
function sampleOf(schema: Schema, find: (ref: string) => Schema, depth = 0): unknown {
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
