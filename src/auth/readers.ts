/** Callers in the terms of the queries that decide by row who may read and write it. */
import type { Reader, Writer } from '../db/queries/documents.ts';
import { documentRight, type Principal } from './policy.ts';

/** A caller as one for whom documents are read. */
export const readerOf = ({ org, userId, role }: Principal): Reader => ({ org, readerId: userId, role });

/** A caller as one for whom documents are written. */
export const writerOf = (principal: Principal): Writer => ({
  ...readerOf(principal),
  right: documentRight(principal),
});
