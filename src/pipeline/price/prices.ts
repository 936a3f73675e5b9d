/** Reads the cost of each field from the SDL, once per field. */
import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { LIMITS } from '../../core/limits.ts';
import { type Declared, directiveValues } from '../../graphql/directives/values.ts';
import type { Field } from '../../graphql/field.ts';

export interface ListSize {
  /** The length if no slicing argument has a value. */
  readonly assumed: number;
  /** Arguments that limit the length, each as a path: its name and those of the members that lead to the number. */
  readonly slicing: readonly (readonly string[])[];
  /** Fields of the field's type that have this length instead of the field itself. */
  readonly sizedFields: ReadonlySet<string>;
  /** Whether the list is a page: without a value of a slicing argument, it has the default size of pages. Other lists have all rows then. */
  readonly isPage: boolean;
  readonly requireOne: boolean;
}

/** The cost of a field: of the field itself, and of each object that it returns. */
export interface Price {
  readonly weight: number;
  readonly objectWeight: number;
  /** The depth of nested lists: 0 for a field that returns a single value. */
  readonly lists: number;
  readonly size: ListSize | undefined;
}

/** The prices of introspection, which is not in the SDL. */
export const INTROSPECTION: ReadonlyMap<string, number> = new Map([
  ['__schema', LIMITS.schemaWeight],
  ['__type', LIMITS.typeWeight],
]);

/** The prices of the fields of a schema. */
export class Prices {
  readonly #schema: GraphQLSchema;
  readonly #known = new WeakMap<Field, Price>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  of(field: Field, isMutation: boolean): Price {
    let price = this.#known.get(field);
    if (!price) {
      price = this.#read(field, isMutation);
      this.#known.set(field, price);
    }
    return price;
  }

  #read(field: Field, isMutation: boolean): Price {
    const type = getNamedType(field.type);
    return {
      weight: this.#weight(field) ?? (isMutation ? LIMITS.mutationWeight : 0),
      objectWeight: isLeafType(type) ? 0 : ((isObjectType(type) ? this.#weight(type) : undefined) ?? 1),
      lists: isLeafType(type) ? 0 : listsIn(field.type),
      size: listSizeOf(this.#schema, field),
    };
  }

  #weight(priced: Declared): number | undefined {
    const weight = directiveValues(this.#schema, 'cost', priced)?.['weight'];
    return weight === undefined ? undefined : Number(weight);
  }
}

/** Reads `@listSize` of a field; undefined without the directive. */
export function listSizeOf(schema: GraphQLSchema, field: Field): ListSize | undefined {
  const size = directiveValues<ListSizeArguments>(schema, 'listSize', field);
  if (!size) return undefined;
  const assumed = size.assumedSize ?? LIMITS.unknownListLength;
  const slicing = (size.slicingArguments ?? []).map((path) => path.split('.'));
  return {
    assumed,
    slicing,
    isPage: slicing.length > 0 && assumed === LIMITS.pageDefault,
    sizedFields: new Set(size.sizedFields),
    requireOne: size.requireOneSlicingArgument,
  };
}

/** The arguments of `@listSize`, as base.graphql describes them. */
interface ListSizeArguments {
  readonly assumedSize?: number | null;
  readonly slicingArguments?: readonly string[] | null;
  readonly sizedFields?: readonly string[] | null;
  readonly requireOneSlicingArgument: boolean;
}

function listsIn(type: GraphQLOutputType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listsIn(nullable.ofType) : 0;
}
