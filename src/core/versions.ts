import { ApiError } from './errors.ts';

/** The versions of a row that may be changed, from `If-Match` or `ifVersion`; null for any. */
export type Versions = readonly number[] | null;

interface Versioned {
  readonly version: number;
}

export const isOfVersion = ({ version }: Versioned, versions: Versions): boolean =>
  versions === null || versions.includes(version);

/** @throws ApiError `precondition_failed` for a row that has another version. */
export function requireVersion(row: Versioned, versions: Versions): void {
  if (!isOfVersion(row, versions)) throw new ApiError('precondition_failed');
}
