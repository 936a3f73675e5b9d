import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';

interface EndArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
}

/** Which end of a list is asked for, and how much of it. */
export interface ListEnd {
  readonly end: 'first' | 'last';
  readonly size: number;
}

/** The size of a page: as asked for, at most {@link LIMITS.pageMax}. */
export const pageSize = (asked: number | null | undefined): number =>
  Math.min(asked ?? LIMITS.pageDefault, LIMITS.pageMax);

/**
 * What `first` and `last` ask for; undefined with neither.
 *
 * @throws ApiError `validation_failed` with both, since they name two different ends.
 */
export function listEnd({ first, last }: EndArguments): ListEnd | undefined {
  if (first != null && last != null) {
    const message = 'cannot be combined with first: ask for one end of the list';
    throw new ApiError('validation_failed', {
      message: `last ${message}.`,
      details: [{ path: 'last', message }],
    });
  }
  if (first != null) return { end: 'first', size: pageSize(first) };
  if (last != null) return { end: 'last', size: pageSize(last) };
  return undefined;
}

/** The part of a list that `first` and `last` ask for, in the list's own order; all of it with neither. */
export function sliceOf<Row>(rows: readonly Row[], asked: EndArguments): readonly Row[] {
  const wanted = listEnd(asked);
  if (!wanted) return rows;
  return wanted.end === 'first' ? rows.slice(0, wanted.size) : rows.slice(-wanted.size);
}
