import { mayKnowWithAnyRole } from '../../src/db/queries/documents.ts';
import type { VisibilityRule } from '../../src/db/visibility.ts';

/** The events of a document are visible to everyone who may read it. The rule continues to apply after the document is deleted. */
export const visibility: VisibilityRule = {
  subjectType: 'document',
  table: 'documents',
  seesAll: 'admin',
  mayKnow: (builder, person) => mayKnowWithAnyRole(builder, builder.tables.documents, person),
};
