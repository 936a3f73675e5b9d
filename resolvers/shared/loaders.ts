/**
 * Loaders batch the rows that the fields of one request load in the same tick into one statement per kind. Each resource declares
 * its loaders in the `loaders.ts` of its folder. Rows that the operation selects can also be loaded with their parent.
 */
import DataLoader from 'dataloader';
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { type Fragments, fieldsIn } from '../../src/core/selections.ts';
import type { Database } from '../../src/db/database.ts';

type Make<Loader> = (loaders: Loaders) => Loader;

/** The loaders of one request. Each is created on first use, since most requests use none. */
export class Loaders {
  readonly database: Database;
  readonly #principal: Principal | null;
  #made: Map<Make<unknown>, unknown> | undefined;

  constructor(database: Database, principal: Principal | null) {
    this.database = database;
    this.#principal = principal;
  }

  /** The organisation whose rows can be loaded. For an anonymous caller it matches no row. */
  get org(): string {
    return this.#principal?.org ?? '';
  }

  /** The caller, for loaders whose rows depend on it. @throws ApiError `unauthenticated` for an anonymous caller. */
  get caller(): Principal {
    if (!this.#principal) throw new ApiError('unauthenticated');
    return this.#principal;
  }

  /** Returns the loader that `make` creates for this request, creating it on first use. */
  of<Loader extends object>(make: Make<Loader>): Loader {
    this.#made ??= new Map();
    const known = this.#made.get(make);
    // The loader stored under a function was created by that function.
    if (known !== undefined) return known as Loader;
    const loader = make(this);
    this.#made.set(make, loader);
    return loader;
  }

  /** Discards all loaders, so that rows loaded before a change are not used after it. */
  forget(): void {
    this.#made = undefined;
  }
}

/**
 * Declares a loader.
 *
 * @param make creates the loader for one request, limited to the rows that the caller may see.
 * @returns a function from the context to the loader of its request.
 */
export const declareLoader =
  <Key, Value, CacheKey = Key>(make: Make<DataLoader<Key, Value, CacheKey>>) =>
  ({ loaders }: { readonly loaders: Loaders }): DataLoader<Key, Value, CacheKey> =>
    loaders.of(make);

/** Reads rows for these ids, in any order. */
type ReadByIds<Row> = (loaders: Loaders, ids: readonly number[]) => Promise<readonly Row[]>;

/** Declares a loader of a value by id. @param read reads the values for all of these ids, and returns a function that finds that for one. */
export const declareIdLoader = <Value>(
  read: (loaders: Loaders, ids: readonly number[]) => Promise<(id: number) => Value | Error>,
  options?: DataLoader.Options<number, Value>,
) =>
  declareLoader<number, Value>(
    (loaders) => new DataLoader(async (ids) => ids.map(await read(loaders, ids)), options),
  );

/** Declares a loader of rows by id. The ids come from references, so a missing row is an error. @param kind the kind of row, for that error. */
export const declareRowLoader = <Row extends { readonly id: number }>(kind: string, read: ReadByIds<Row>) =>
  declareIdLoader<Row>(async (loaders, ids) => {
    const found = new Map((await read(loaders, ids)).map((row) => [row.id, row]));
    return (id) => found.get(id) ?? new Error(`The referenced ${kind} ${id} does not exist`);
  });

/** Declares a loader of whole lists by the ids of their parents. @param read reads the rows of all these lists, each list in order. */
export const declareListLoader = <Row>(read: ReadByIds<Row>, parentOf: (row: Row) => number | null) =>
  declareIdLoader<readonly Row[]>(async (loaders, ids) => {
    const lists = Map.groupBy(await read(loaders, ids), parentOf);
    return (id) => lists.get(id) ?? [];
  });

/**
 * Declares a loader of parts of lists, one for each parent, such as the newest charges for an order. There is one statement for all keys
 * that differ only in the parent.
 *
 * @param partOf the parameters of a key as text.
 * @param read reads the rows of all these parents, each list in order, with the parameters of `key`.
 * @param parentOf the parent of a row.
 */
export const declarePartLoader = <Key extends { readonly parentId: number }, Row>(
  partOf: (key: Key) => string,
  read: (loaders: Loaders, parentIds: readonly number[], key: Key) => Promise<readonly Row[]>,
  parentOf: (row: Row) => number | null,
) =>
  declareLoader<Key, readonly Row[], string>((loaders) => {
    const load = async (keys: readonly Key[]): Promise<(readonly Row[])[]> => {
      const lists = new Map<Key, readonly Row[]>();
      const parts = Map.groupBy(keys, partOf).values();
      await Promise.all(
        parts.map(async (part) => {
          // A part has at least one key, and all of its keys have the same parameters.
          const [key] = part as [Key];
          const parentIds = part.map(({ parentId }) => parentId);
          const ofParents = Map.groupBy(await read(loaders, parentIds, key), parentOf);
          for (const each of part) lists.set(each, ofParents.get(each.parentId) ?? []);
        }),
      );
      return keys.map((key) => lists.get(key) ?? []);
    };
    return new DataLoader(load, { cacheKeyFn: (key) => `${key.parentId}:${partOf(key)}` });
  });

/** The paths that were looked for below a field of a document, and whether it selects them. */
const known = new WeakMap<FieldNode, Map<string, boolean>>();

/**
 * Whether the operation selects a field below the one being resolved, so that its data can be fetched in the same statement.
 * A field with `@skip` or `@include` counts as selected: at worst, unused data is fetched.
 *
 * @param path field names from the outside in, joined with dots: `nodes.items`. It must be a constant, since the result is kept.
 */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, path: string): boolean {
  return fieldNodes.some((node) => {
    const paths = known.get(node) ?? new Map<string, boolean>();
    let isSelected = paths.get(path);
    if (isSelected === undefined) {
      isSelected = contains(node.selectionSet, path.split('.'), fragments);
      known.set(node, paths.set(path, isSelected));
    }
    return isSelected;
  });
}

function contains(set: SelectionSetNode | undefined, path: readonly string[], fragments: Fragments): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return fieldsIn(set, fragments).some(
    (field) => field.name.value === name && contains(field.selectionSet, rest, fragments),
  );
}
