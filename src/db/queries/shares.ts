import type { Runner } from '../database.ts';
import { aliasedTable, and, asc, count, eq, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { ShareRelation, ShareRow } from '../rows.ts';
import { type Builder, equal, type Placeholders, statement } from '../statement.ts';
import { mayWrite, type Writer } from './documents.ts';
import { insertIn } from './shared/changing.ts';

const ofDocuments = statement<
  Writer & { documentIds: readonly number[] },
  readonly { documentId: number; share: ShareRow | null }[]
>('shares.ofDocuments', (builder, p) => {
  const { orm, tables, dialect } = builder;
  const { documents, shares } = tables;
  const own = aliasedTable(documents, 'own');
  const idIfWritable = sql`select ${own.id} from ${documents} as own
    where ${own.id} = wanted.id and ${mayWrite(builder, own, p)}`;
  return orm
    .select({ documentId: documents.id, share: shares })
    .from(dialect.each(p.documentIds))
    .innerJoin(
      documents,
      and(dialect.amongFew(documents.id, idIfWritable), dialect.ofOrganisation(documents.org, p.org)),
    )
    .leftJoin(shares, and(eq(shares.documentId, documents.id), eq(shares.org, documents.org)))
    .orderBy(asc(documents.id), asc(shares.id));
});

/** A document of an organisation, and a person with whom it is or will be shared. */
type Sharing = Pick<ShareRow, 'org' | 'documentId' | 'userId'>;

function isOf({ tables: { shares } }: Builder, p: Placeholders<Sharing>) {
  return equal(shares, p, 'documentId', 'userId', 'org');
}

/** The share of a document with a person. The caller must have checked the right to change the document. */
export const findShare = read.first<Sharing, ShareRow>('shares.one', (builder, p) =>
  builder.orm.select().from(builder.tables.shares).where(isOf(builder, p)),
);

const countOf = read.only<Omit<Sharing, 'userId'>, { shares: number }>(
  'shares.count',
  ({ orm, tables: { shares } }, p) =>
    orm
      .select({ shares: count() })
      .from(shares)
      .where(equal(shares, p, 'documentId', 'org')),
);

/** Inserts a share. The document must not be shared with the person yet. */
export const insertShare = insertIn('shares', ['org', 'documentId', 'userId', 'relation', 'createdAt']);

/** Changes the relation of a share. */
export const changeShare = write.only<Sharing & { relation: ShareRelation }, ShareRow>(
  'shares.change',
  (builder, p) => {
    const { shares } = builder.tables;
    return builder.orm.update(shares).set({ relation: p.relation }).where(isOf(builder, p)).returning();
  },
);

/** Deletes a share. Undefined if there was none. */
export const removeShare = write.first<Sharing, ShareRow>('shares.remove', (builder, p) =>
  builder.orm.delete(builder.tables.shares).where(isOf(builder, p)).returning(),
);

/** Deletes the shares of a user who is removed. Call it after the organisation's turn, so that no share is added concurrently. */
export const removeSharesOfUser = write.run<{ org: string; id: number }>(
  'shares.removeOfUser',
  ({ orm, tables: { shares } }, p) =>
    orm.delete(shares).where(and(eq(shares.org, p.org), eq(shares.userId, p.id))),
);

/**
 * The shares of each of these documents in order of their creation. The map lacks documents that the writer may not change.
 * Ids must be distinct.
 */
export async function sharesOfDocuments(
  db: Runner,
  writer: Writer,
  documentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ShareRow[]>> {
  const rows = await db.run(ofDocuments, { ...writer, documentIds });
  const byDocument = Map.groupBy(rows, ({ documentId }) => documentId);
  return new Map(
    [...byDocument].map(([id, found]) => [id, found.flatMap(({ share }) => share ?? [])] as const),
  );
}

/** The number of people with whom a document is shared. */
export async function countShares(db: Runner, org: string, documentId: number): Promise<number> {
  return (await countOf(db, { org, documentId })).shares;
}
