/** Documents and their shares. */

import { reference, tenantRow, versioned } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { oneOf } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

export const CLASSIFICATIONS = ['public', 'internal', 'confidential'] as const;
export const SHARE_RELATIONS = ['reader', 'writer'] as const;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  const documents = v.table(
    'documents',
    {
      ...tenantRow(v, organisations),
      authorId: reference(v, 'author_id', users),
      title: v.text('title').notNull(),
      body: v.text('body').notNull(),
      classification: v.text('classification', { enum: CLASSIFICATIONS }).notNull(),
      ...versioned(v),
      /** Deleted documents are kept, since the visibility of their events depends on them. */
      deletedAt: v.timestamp('deleted_at'),
    },
    (t) => {
      const present = sql`${t.deletedAt} is null`;
      return [
        ...v.tenantKey('documents_pkey', t),
        // Includes every column that the visibility rule of documents compares, so that documents which a list leaves out are skipped
        // in the index, without reading their texts, which are stored before these columns.
        v.index('documents_by_org').on(t.org, t.id, t.classification, t.authorId, t.deletedAt).where(present),
        v
          .index('documents_by_classification')
          .on(t.org, t.classification, t.id, t.authorId, t.deletedAt)
          .where(present),
        v
          .index('documents_by_author')
          .on(t.org, t.authorId, t.id, t.classification, t.deletedAt)
          .where(present),
        v.check('documents_classification_check', sql`${t.classification} in ${oneOf(CLASSIFICATIONS)}`),
      ];
    },
  );

  const shares = v.table(
    'shares',
    {
      ...tenantRow(v, organisations),
      documentId: v.integer('document_id').notNull(),
      userId: reference(v, 'user_id', users),
      relation: v.text('relation', { enum: SHARE_RELATIONS }).notNull(),
      createdAt: v.timestamp('created_at').notNull(),
    },
    (t) => [
      ...v.tenantKey('shares_pkey', t),
      v.tenantReference({ columns: [t.documentId, t.org], foreignColumns: [documents.id, documents.org] }),
      v.tenantUniqueIndex('shares_document_user', t.org).on(t.documentId, t.userId),
      v.index('shares_by_user').on(t.org, t.userId),
      v.check('shares_relation_check', sql`${t.relation} in ${oneOf(SHARE_RELATIONS)}`),
    ],
  );

  return { documents, shares };
}
