import type { Column, SQL } from 'drizzle-orm';
import type { Transaction } from '../database.ts';
import { and, eq, isNull, or, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { DocumentRow, ShareRelation } from '../rows.ts';
import type { Builder, Placeholders } from '../statement.ts';
import type { PersonTerms, Reader, ReaderTerms } from '../visibility.ts';
import { changeIn, insertIn } from './shared/changing.ts';
import { addWords, removeWords, replaceWords } from './shared/words.ts';

/** The writer of a document and the writer's right, as explained at `documentRight` in `resolvers/document/access.ts`. */
export interface Writer extends Reader {
  readonly right: 'role' | 'share' | 'none';
}

/** The table of documents, under its own name or an alias. */
type Documents = Readonly<Record<'id' | 'org' | 'authorId' | 'classification' | 'deletedAt', Column>>;

/** A condition that is true if the reader may read the document without a share and without a role that may read all of them. */
function isOpenToAnyRole(documents: Documents, p: PersonTerms): SQL | undefined {
  return or(sql`${documents.classification} <> 'confidential'`, eq(documents.authorId, p.readerId));
}

/** A condition that is true if the reader may read the document without a share. */
function isOpen(documents: Documents, p: ReaderTerms): SQL | undefined {
  return or(sql`${p.role} = 'admin'`, isOpenToAnyRole(documents, p));
}

function isShared(
  { tables: { shares }, dialect }: Builder,
  documents: Documents,
  p: PersonTerms,
  relation?: ShareRelation,
): SQL {
  const as = relation && sql` and ${shares.relation} = ${relation}`;
  // A document has at most one share per person. PostgreSQL may run an `exists` by hashing the whole table; it runs this as an index lookup.
  return sql`(select ${shares.id} from ${shares}
    where ${shares.documentId} = ${documents.id} and ${shares.userId} = ${p.readerId}
      and ${dialect.sameOrganisation(shares.org, p.org)}${as}) is not null`;
}

/**
 * Who may know of a document without a role that may read all of them: confidential ones are visible to their author and the people they
 * are shared with.
 */
export function mayKnowWithAnyRole(builder: Builder, documents: Documents, p: PersonTerms): SQL | undefined {
  return and(eq(documents.org, p.org), or(isOpenToAnyRole(documents, p), isShared(builder, documents, p)));
}

/**
 * The visibility rule of documents: {@link mayKnowWithAnyRole}, and administrators know of all. It also applies to deleted documents, for
 * events about them.
 *
 * @param documents the table, or an alias of it.
 */
export function mayKnow(builder: Builder, documents: Documents, p: ReaderTerms): SQL | undefined {
  return and(eq(documents.org, p.org), mayReadPresent(builder, documents, p));
}

/** The rule {@link mayKnow} for a query that already restricts documents to existing ones of the reader's organisation. */
export function mayReadPresent(builder: Builder, documents: Documents, p: ReaderTerms): SQL<boolean> {
  return sql<boolean>`(${or(isOpen(documents, p), isShared(builder, documents, p))})`.mapWith(Boolean);
}

/** The rule {@link mayKnow} for reading the document itself, which must not be deleted. */
export function mayRead(builder: Builder, documents: Documents, p: Placeholders<Reader>): SQL | undefined {
  return and(mayKnow(builder, documents, p), isNull(documents.deletedAt));
}

/**
 * A condition that is true if a person who may change a document may also share and classify it: a person with the right by
 * role, who may read the document without a share. A person who reads it by a share cannot share it further.
 */
function mayDecideReaders(documents: Documents, p: Placeholders<Writer>): SQL | undefined {
  return and(sql`${p.right} = 'role'`, isOpen(documents, p));
}

/**
 * A condition that is true if the writer may change the document: people who may read it without a share and have the right by role,
 * and people it is shared with as writer, unless their right is `none`.
 */
export function mayWrite(builder: Builder, documents: Documents, p: Placeholders<Writer>): SQL | undefined {
  return and(
    eq(documents.org, p.org),
    isNull(documents.deletedAt),
    or(
      mayDecideReaders(documents, p),
      and(sql`${p.right} <> 'none'`, isShared(builder, documents, p, 'writer')),
    ),
  );
}

/** The attributes of a document that can be changed. */
const CHANGEABLE = ['title', 'body', 'classification'] as const;

/** The values of all of them after a change. */
type DocumentChange = Pick<DocumentRow, (typeof CHANGEABLE)[number]>;

/** Declares a query for the document with an id, if a condition of the person allows it. */
const findIf = <Person extends Reader>(
  name: string,
  may: (builder: Builder, documents: Documents, p: Placeholders<Person & { id: number }>) => SQL | undefined,
) =>
  read.first<Person & { id: number }, DocumentRow>(name, (builder, p) => {
    const { documents } = builder.tables;
    return builder.orm
      .select()
      .from(documents)
      .where(and(eq(documents.id, p.id), may(builder, documents, p)));
  });

/** The document with this id, if the reader may read it. */
export const findDocument = findIf<Reader>('documents.readable', mayRead);

/** The document with this id, if the writer may change it. */
export const findWritableDocument = findIf<Writer>('documents.writable', mayWrite);

/**
 * Locks and returns the document with this id, if the writer may share it. Until the end of the transaction no other transaction can
 * change, delete or share the document, so that decisions about it stay valid.
 */
export const holdDocument = write.first<Writer & { id: number }, DocumentRow>(
  'documents.hold',
  (builder, p) => {
    const { documents } = builder.tables;
    return builder.orm
      .update(documents)
      .set({ version: sql`${documents.version}` })
      .where(and(eq(documents.id, p.id), mayWrite(builder, documents, p), mayDecideReaders(documents, p)))
      .returning();
  },
);

/** The organisation of a document that the caller cannot find: to distinguish 403, "deleted" and 404. */
export const ownerOfDocument = read.first<{ id: number }, Pick<DocumentRow, 'org' | 'deletedAt'>>(
  'documents.ownerOf',
  ({ orm, tables: { documents } }, p) =>
    orm
      .select({ org: documents.org, deletedAt: documents.deletedAt })
      .from(documents)
      .where(eq(documents.id, p.id)),
);

const insert = insertIn('documents', ['org', 'authorId', ...CHANGEABLE], {
  at: ['createdAt', 'updatedAt'],
});

const update = changeIn('documents.update', 'documents', CHANGEABLE, {
  only: (documents, p: Placeholders<Writer & DocumentChange>, builder) => [
    mayWrite(builder, documents, p),
    or(mayDecideReaders(documents, p), eq(documents.classification, p.classification)),
  ],
});

const remove = changeIn('documents.remove', 'documents', [], {
  at: ['deletedAt'],
  only: ({ deletedAt }) => [isNull(deletedAt)],
});

export async function insertDocument(
  tx: Transaction,
  document: Parameters<typeof insert>[1],
): Promise<DocumentRow> {
  const row = await insert(tx, document);
  await addWords(tx, 'documents', row);
  return row;
}

/**
 * Changes a document that was read. Undefined if it has changed since, or the writer may not make this change. Of several concurrent
 * changes of the same version, only one gets the row.
 */
export async function updateDocument(
  tx: Transaction,
  writer: Writer,
  { id, version, title, body }: DocumentRow,
  change: DocumentChange,
  now: Date,
): Promise<DocumentRow | undefined> {
  const row = await update(tx, { ...change, ...writer, id, versions: [version], now });
  if (row && (row.title !== title || row.body !== body)) await replaceWords(tx, 'documents', row);
  return row;
}

/** Deletes a document. Undefined if it does not exist, was already deleted, or has another version. */
export async function removeDocument(
  tx: Transaction,
  removal: Parameters<typeof remove>[1],
): Promise<DocumentRow | undefined> {
  const row = await remove(tx, removal);
  if (row) await removeWords(tx, 'documents', row);
  return row;
}
