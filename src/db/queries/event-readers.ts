/** Who may see events, for many people at once: what a stream asks before it passes something on. */

import type { Role } from '../../core/roles.ts';
import { type Runner, statement } from '../database.ts';
import { and, eq, isNull, sql } from '../drizzle/index.ts';
import { mayKnow } from './documents.ts';

interface People {
  readonly org: string;
  readonly userIds: readonly number[];
}

const present = statement<People, readonly { id: number; role: Role }[]>(
  'eventReaders.present',
  ({ orm, tables: { users }, dialect }, p) =>
    orm
      .select({ id: users.id, role: users.role })
      .from(users)
      .where(and(dialect.anyOf(users.id, p.userIds), eq(users.org, p.org), isNull(users.removedAt))),
);

const usableKeys = statement<{ org: string; keyIds: readonly number[] }, readonly { id: number }[]>(
  'eventReaders.usableKeys',
  ({ orm, tables: { apiKeys }, dialect }, p) =>
    orm
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(dialect.anyOf(apiKeys.id, p.keyIds), eq(apiKeys.org, p.org), isNull(apiKeys.revokedAt))),
);

/** A document, and somebody who may know of it. */
interface Knower {
  readonly documentId: number;
  readonly userId: number;
}

const knowers = statement<People & { documentIds: readonly number[] }, readonly Knower[]>(
  'eventReaders.ofDocuments',
  (builder, p) => {
    const { orm, tables, dialect } = builder;
    const { documents, users } = tables;
    const somebody = { org: p.org, readerId: users.id, role: users.role };
    return orm
      .select({ documentId: documents.id, userId: users.id })
      .from(documents)
      .innerJoin(users, sql`true`)
      .where(
        and(
          dialect.anyOf(documents.id, p.documentIds),
          dialect.anyOf(users.id, p.userIds),
          eq(users.org, p.org),
          isNull(users.removedAt),
          mayKnow(builder, documents, somebody),
        ),
      );
  },
);

/** Those of the people who are in the organisation now, with the role that they have there now. */
export function findPresent(
  db: Runner,
  org: string,
  userIds: readonly number[],
): Promise<readonly { id: number; role: Role }[]> {
  return db.run(present, { org, userIds });
}

/** Those of the keys that were not revoked. */
export function findUsableKeys(
  db: Runner,
  org: string,
  keyIds: readonly number[],
): Promise<readonly { id: number }[]> {
  return db.run(usableKeys, { org, keyIds });
}

/** Each of the documents with each of the people who may know of it now. */
export function findKnowers(
  db: Runner,
  org: string,
  documentIds: readonly number[],
  userIds: readonly number[],
): Promise<readonly Knower[]> {
  return db.run(knowers, { org, documentIds, userIds });
}
