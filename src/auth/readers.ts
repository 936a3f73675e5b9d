/** Callers as parameters of the queries that check visibility by row. */
import type { Reader } from '../db/visibility.ts';
import type { Principal } from './policy.ts';

/** A caller as one for whom rows are read. */
export const readerOf = ({ org, userId, role }: Principal): Reader => ({ org, readerId: userId, role });
