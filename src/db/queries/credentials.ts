/** API keys and client certificates. */

import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Role } from '../../core/roles.ts';
import type { Transaction } from '../database.ts';
import { and, count, eq, getTableColumns, gt, isNull, lte, notExists, or } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { ApiKeyRow, ClientCertificateRow } from '../rows.ts';
import { statement } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { endIn, insertIn } from './shared/changing.ts';
import { lookupIn, rowsIn } from './shared/owned.ts';

/** What is needed of a credential to authenticate its holder, with the current role of its owner. */
export interface OwnedCredential
  extends Pick<ApiKeyRow, 'id' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'userId' | 'org'> {
  readonly role: Role;
}

/** The statements that both kinds of credentials have. */
export interface CredentialRows {
  /** Revokes a row. Returns undefined if it was revoked before. */
  revoke(
    tx: Transaction,
    which: { org: string; id: number; now: Date },
  ): Promise<{ readonly name: string; readonly userId: number } | undefined>;
  readonly touch: ReturnType<typeof touchIn>;
  readonly countUsable: ReturnType<typeof countUsableIn>;
}

/** The columns that the two tables have in common. Their types differ otherwise. */
type Owned = PgTable &
  Readonly<Record<'id' | 'org' | 'userId' | 'expiresAt' | 'revokedAt' | 'lastUsedAt', PgColumn>>;

type Name = 'apiKeys' | 'clientCertificates';

/** Declares a query that updates when a credential was last used, unless another instance has done so after `unlessSince`. */
const touchIn = (name: Name) =>
  write.run<{ id: number; now: Date; unlessSince: Date }>(`${name}.touch`, ({ orm, tables }, p) => {
    const table: Owned = tables[name];
    const { id, lastUsedAt } = table;
    return orm
      .update(table)
      .set({ lastUsedAt: p.now })
      .where(and(eq(id, p.id), or(isNull(lastUsedAt), lte(lastUsedAt, p.unlessSince))));
  });

/** Declares a query for the number of an organisation's credentials that can be used: neither revoked nor expired, and of a present person. */
const countUsableIn = (name: Name) =>
  read.only<{ org: string; now: Date }, { rows: number }>(`${name}.countUsable`, ({ orm, tables }, p) => {
    const table: Owned = tables[name];
    const { users } = tables;
    const { org, revokedAt, expiresAt } = table;
    return orm
      .select({ rows: count() })
      .from(table)
      .innerJoin(users, isOwner(users, table))
      .where(and(eq(org, p.org), isNull(revokedAt), or(isNull(expiresAt), gt(expiresAt, p.now))));
  });

/** The columns of an {@link OwnedCredential}. */
const owned = (
  { id, scopes, expiresAt, lastUsedAt }: Tables['apiKeys'] | Tables['clientCertificates'],
  users: Tables['users'],
) => ({ id, scopes, expiresAt, lastUsedAt, userId: users.id, org: users.org, role: users.role });

/** The conditions of a join with the present owner. Credentials of a person who moved to another organisation are not valid there. */
const isOwner = ({ id, org, removedAt }: Tables['users'], table: Owned) =>
  and(eq(id, table.userId), eq(org, table.org), isNull(removedAt));

/** A key without the hash of its secret, which only authentication reads. */
export type VisibleApiKey = Omit<ApiKeyRow, 'secretHash'>;

/** What is needed to authenticate an API key. */
interface ApiKeyOfOwner extends OwnedCredential {
  readonly secretHash: string;
}

function visible(apiKeys: Tables['apiKeys']) {
  const { secretHash: _, ...columns } = getTableColumns(apiKeys);
  return columns;
}

/** The key with this id, unless it was revoked or its owner was removed. The caller must check whether it has expired. */
export const findUsableApiKey = read.first<{ id: number }, ApiKeyOfOwner>(
  'apiKeys.usable',
  ({ orm, tables: { apiKeys, users } }, p) =>
    orm
      .select({ ...owned(apiKeys, users), secretHash: apiKeys.secretHash })
      .from(apiKeys)
      .innerJoin(users, isOwner(users, apiKeys))
      .where(and(eq(apiKeys.id, p.id), isNull(apiKeys.revokedAt))),
);

export const insertApiKey = insertIn(
  'apiKeys',
  ['org', 'userId', 'name', 'secretHash', 'scopes', 'createdAt', 'expiresAt'],
  { columns: visible },
);

/** API keys, also those that were revoked or have expired. */
export const apiKeys = lookupIn('apiKeys', { columns: visible });
export const apiKeysAfter = rowsIn('apiKeys', 'after', { columns: visible });

export const apiKeyRows: CredentialRows = {
  revoke: endIn('apiKeys.revoke', 'apiKeys', 'revokedAt', visible),
  touch: touchIn('apiKeys'),
  countUsable: countUsableIn('apiKeys'),
};

/** What is needed to authenticate the holder of a certificate. */
interface CertificateOfOwner extends OwnedCredential {
  readonly match: string;
}

type NewClientCertificate = Omit<ClientCertificateRow, 'id' | 'revokedAt' | 'lastUsedAt'>;

/** The matching certificates that were not revoked and whose owner was not removed. The caller must check whether they have expired. */
export const findUsableCertificates = read.all<{ matches: readonly string[] }, CertificateOfOwner>(
  'clientCertificates.usable',
  ({ orm, tables: { clientCertificates: certificates, users }, dialect }, p) =>
    orm
      .select({ ...owned(certificates, users), match: certificates.match })
      .from(certificates)
      .innerJoin(users, isOwner(users, certificates))
      .where(and(dialect.anyOf(certificates.match, p.matches), isNull(certificates.revokedAt))),
);

const insertCertificate = insertIn('clientCertificates', [
  'org',
  'userId',
  'name',
  'match',
  'scopes',
  'createdAt',
  'expiresAt',
]);

/**
 * Revokes an unusable registration of a match: it has expired, or its owner has left the organisation that registers it again. Another
 * organisation does not get the match then: machines that still present the certificate would act for it.
 */
const revokeUnusable = statement<{ org: string; match: string; now: Date }, unknown>(
  'clientCertificates.revokeUnusable',
  ({ orm, tables: { clientCertificates: certificates, users } }, p) => {
    const { match, revokedAt, expiresAt, org } = certificates;
    const owner = orm.select({ id: users.id }).from(users).where(isOwner(users, certificates));
    return orm
      .update(certificates)
      .set({ revokedAt: p.now })
      .where(
        and(
          eq(match, p.match),
          isNull(revokedAt),
          or(lte(expiresAt, p.now), and(eq(org, p.org), notExists(owner))),
        ),
      );
  },
);

/** Client certificates, also those that were revoked or have expired. */
export const clientCertificates = lookupIn('clientCertificates');
export const clientCertificatesAfter = rowsIn('clientCertificates', 'after');

/**
 * Registers a certificate. Revokes an unusable registration of the same match: an expired one, or the organisation's own whose owner has left.
 *
 * @throws the engine's error if the match is already registered, which is reported as `conflict`.
 */
export async function insertClientCertificate(
  tx: Transaction,
  certificate: NewClientCertificate,
): Promise<ClientCertificateRow> {
  const { org, match, createdAt } = certificate;
  await tx.run(revokeUnusable, { org, match, now: createdAt });
  return insertCertificate(tx, certificate);
}

const revokeCertificate = endIn('clientCertificates.revoke', 'clientCertificates', 'revokedAt');

export const clientCertificateRows: CredentialRows = {
  revoke: revokeCertificate,
  touch: touchIn('clientCertificates'),
  countUsable: countUsableIn('clientCertificates'),
};
