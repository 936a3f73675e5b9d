import { DocumentError, type Operation } from '../compile/documents.ts';
import type { JsonSchema } from '../compile/view.ts';
import { sampleOf } from './sample.ts';
import type { Response, Schema } from './types.ts';

/** What several operations share, each under a name: written once, and referred to. */
export class Components {
  readonly #schemas = new Map<string, Schema>();
  readonly #responses = new Map<string, Response>();

  /** By name, in alphabetical order, so that a new one changes no line of another. */
  get schemas(): Record<string, Schema> {
    return sorted(this.#schemas);
  }

  get responses(): Record<string, Response> {
    return sorted(this.#responses);
  }

  /** Enters a schema that may refer to itself: `make` is called once, after the name is taken. */
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
   * The schema of a response, with every object in it under a name of its own: its title, or, where another shape has that
   * already, its title and that of the operation.
   *
   * @param owner the operation that is answered so.
   * @throws DocumentError when it has shapes that would have one name.
   */
  shape(schema: JsonSchema, owner: Operation): Schema {
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

  #freeName(title: string, { name: owner, definition }: Operation, object: Schema): string {
    const names = [title, `${title}Of${owner}`];
    const name = names.find((each) => {
      const taken = this.#schemas.get(each);
      return taken === undefined || JSON.stringify(taken) === JSON.stringify(object);
    });
    if (name === undefined) {
      throw new DocumentError(
        definition,
        `${owner} selects ${title} in several ways, which OpenAPI distinguishes by name. Make each of them a fragment.`,
      );
    }
    return name;
  }

  /** A value that fits the schema. */
  sample(schema: Schema): unknown {
    return sampleOf(schema, (ref) => this.#find(ref));
  }

  /** Whether an object of this schema has members that must be there. */
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
