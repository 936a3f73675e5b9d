/** Callers in the terms of the queries that decide by row who may read it. */
import type { Reader } from '../db/visibility.ts';
import type { Principal } from './policy.ts';

/** A caller as one for whom rows are read. */
export const readerOf = ({ org, userId, role }: Principal): Reader => ({ org, readerId: userId, role });
