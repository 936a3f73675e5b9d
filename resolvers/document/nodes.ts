import type { DocumentRow, ListedDocument, ShareRow } from '../../src/db/rows.ts';

/** A document. Documents read as part of a list have no text yet; `Document.body` loads it. */
export type DocumentNode = ListedDocument & Partial<Pick<DocumentRow, 'body'>>;

export type ShareNode = ShareRow;
