/** Callers as parameters of the queries that check visibility by row. */
import type { Reader } from '../db/visibility.ts';
import type { Principal } from './policy.ts';

/** Converts a caller to the reader that queries check. */
export const readerOf = ({ org, userId, role }: Principal): Reader => ({ org, readerId: userId, role });
