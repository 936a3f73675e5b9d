import type { DocumentRow, ListedDocument, ShareRow } from '../../src/db/rows.ts';

/** A document. Its text is there already when it was read by itself, and not as one of a list. */
export type DocumentNode = ListedDocument & Partial<Pick<DocumentRow, 'body'>>;

export type ShareNode = ShareRow;
