import { mayKnow } from '../../src/db/queries/documents.ts';
import type { VisibilityRule } from '../../src/db/visibility.ts';

/** Events of a document are visible to those who may know of it: the rule by which it is read holds after its deletion as well. */
export const visibility: VisibilityRule = {
  subjectType: 'document',
  table: 'documents',
  seesAll: 'admin',
  mayKnow: (builder, reader) => mayKnow(builder, builder.tables.documents, reader),
};
