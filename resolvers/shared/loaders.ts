/**
 * Loaders fetch what the fields of one request ask for in the same tick with one statement per kind. A resource declares its own in
 * `loaders.ts` of its folder.
 */
import type DataLoader from 'dataloader';
import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Database } from '../../src/db/database.ts';

type Make<Loader> = (loaders: Loaders) => Loader;

/** The loaders of one request. Each is made when it is first used, since most requests use none. */
export class Loaders {
  readonly database: Database;
  readonly #principal: Principal | null;
  #made: Map<Make<unknown>, unknown> | undefined;

  constructor(database: Database, principal: Principal | null) {
    this.database = database;
    this.#principal = principal;
  }

  /** The organisation whose rows loaders see. Without a principal no row belongs to the caller, and none is found. */
  get org(): string {
    return this.#principal?.org ?? '';
  }

  /** @throws ApiError `unauthenticated` where there is none: for loaders whose rows depend on who is calling. */
  get caller(): Principal {
    if (!this.#principal) throw new ApiError('unauthenticated');
    return this.#principal;
  }

  /** The loader that `make` has made for this request. */
  of<Loader extends object>(make: Make<Loader>): Loader {
    this.#made ??= new Map();
    const known = this.#made.get(make);
    // What is kept under a function was made by it.
    if (known !== undefined) return known as Loader;
    const loader = make(this);
    this.#made.set(make, loader);
    return loader;
  }

  /** Makes every loader anew from now on: a change has made obsolete what was loaded before it. */
  forget(): void {
    this.#made = undefined;
  }
}

/**
 * Declares a loader.
 *
 * @param make makes it for one request, from the rows that its caller may see.
 * @returns the loader of the request that a context belongs to.
 */
export const declareLoader =
  <Key, Value, CacheKey = Key>(make: Make<DataLoader<Key, Value, CacheKey>>) =>
  ({ loaders }: { readonly loaders: Loaders }): DataLoader<Key, Value, CacheKey> =>
    loaders.of(make);

/** The rows in the order of their ids. A missing one is an error: ids come from rows that refer to it. */
export function inOrderOfIds<Row extends { readonly id: number }>(
  kind: string,
  ids: readonly number[],
  rows: readonly Row[],
): (Row | Error)[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id) ?? new Error(`There is no ${kind} ${id} to resolve a reference to`));
}

/**
 * Loads keys that are alike in all but an id together.
 *
 * @param load gets such keys, and the first of them as the one that all are like; gives a result for each.
 */
export async function inGroups<Key, Result>(
  keys: readonly Key[],
  likeness: (key: Key) => string,
  load: (group: readonly Key[], like: Key) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results = new Map<Key, Result>();
  await Promise.all(
    Map.groupBy(keys, likeness)
      .values()
      .map(async (group) => {
        // A group is made for its first key.
        const [like] = group as [Key];
        const loaded = await load(group, like);
        // There is a result for each key of the group, and the groups together have all keys.
        for (const [index, key] of group.entries()) results.set(key, loaded[index] as Result);
      }),
  );
  return keys.map((key) => results.get(key) as Result);
}
