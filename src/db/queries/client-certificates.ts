import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, eq, isNull, lte } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { ClientCertificateRow } from '../rows.ts';
import { type OwnedCredential, touchIn } from './credentials.ts';
import { ownerIn } from './owner.ts';

/** What has to be known of a certificate to let its holder in. */
export interface CertificateOfOwner extends OwnedCredential {
  readonly match: string;
}

type NewClientCertificate = Omit<ClientCertificateRow, 'id' | 'revokedAt' | 'lastUsedAt'>;

const byId = statement<{ org: string; id: number }, readonly ClientCertificateRow[]>(
  'clientCertificates.byId',
  ({ orm, tables: { clientCertificates } }, p) =>
    orm
      .select()
      .from(clientCertificates)
      .where(and(eq(clientCertificates.id, p.id), eq(clientCertificates.org, p.org))),
);

const after = listStatement<{ org: string; fromId: number; limit: number }, readonly ClientCertificateRow[]>(
  'clientCertificates.after',
  (
    {
      orm,
      tables: {
        clientCertificates: { org, id },
        clientCertificates,
      },
      dialect,
    },
    p,
  ) =>
    orm
      .select()
      .from(clientCertificates)
      .where(dialect.inIndex([[org, p.org]], id, { after: p.fromId }))
      .orderBy(...dialect.orderInIndex([[org, p.org]], asc, id))
      .limit(p.limit),
);

const usable = statement<{ matches: readonly string[] }, readonly CertificateOfOwner[]>(
  'clientCertificates.usable',
  ({ orm, tables: { clientCertificates: certificates, users }, dialect }, p) =>
    orm
      .select({
        id: certificates.id,
        match: certificates.match,
        scopes: certificates.scopes,
        expiresAt: certificates.expiresAt,
        lastUsedAt: certificates.lastUsedAt,
        userId: users.id,
        org: users.org,
        role: users.role,
      })
      .from(certificates)
      // A person who moved to another organisation takes no certificate along.
      .innerJoin(users, and(eq(users.id, certificates.userId), eq(users.org, certificates.org)))
      .where(
        and(
          dialect.anyOf(certificates.match, p.matches),
          isNull(certificates.revokedAt),
          isNull(users.removedAt),
        ),
      ),
);

const insert = statement<NewClientCertificate, readonly ClientCertificateRow[]>(
  'clientCertificates.insert',
  ({ orm, tables: { clientCertificates } }, p) =>
    orm
      .insert(clientCertificates)
      .values({
        org: p.org,
        userId: p.userId,
        name: p.name,
        match: p.match,
        scopes: p.scopes,
        createdAt: p.createdAt,
        expiresAt: asStored(p.expiresAt, clientCertificates.expiresAt),
      })
      .returning(),
);

const revokeExpired = statement<{ match: string; now: Date }, unknown>(
  'clientCertificates.revokeExpired',
  (
    {
      orm,
      tables: {
        clientCertificates: { match, revokedAt, expiresAt },
        clientCertificates,
      },
    },
    p,
  ) =>
    orm
      .update(clientCertificates)
      .set({ revokedAt: asStored(p.now, revokedAt) })
      .where(and(eq(match, p.match), isNull(revokedAt), lte(expiresAt, asStored(p.now, expiresAt)))),
);

const revoke = statement<{ org: string; id: number; now: Date }, readonly ClientCertificateRow[]>(
  'clientCertificates.revoke',
  (
    {
      orm,
      tables: {
        clientCertificates: { org, id, revokedAt },
        clientCertificates,
      },
    },
    p,
  ) =>
    orm
      .update(clientCertificates)
      .set({ revokedAt: asStored(p.now, revokedAt) })
      .where(and(eq(id, p.id), eq(org, p.org), isNull(revokedAt)))
      .returning(),
);

/** The certificate with this id in this organisation, also one that was revoked or has expired. */
export async function findClientCertificate(
  db: Runner,
  org: string,
  id: number,
): Promise<ClientCertificateRow | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** Up to `limit` certificates that follow an id (0 for the first) in order of id, or precede it when they are read backwards. */
export function clientCertificatesAfter(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly ClientCertificateRow[]> {
  return db.run(after[way], { org, fromId, limit });
}

export const orgOfClientCertificate = ownerIn('clientCertificates');

/** Those that were not revoked and whose owner is there. Whether they have expired is the caller's to see. */
export function findUsableCertificates(
  db: Runner,
  matches: readonly string[],
): Promise<readonly CertificateOfOwner[]> {
  return db.run(usable, { matches });
}

/**
 * Registers a certificate. One that has expired makes way.
 *
 * @throws the engine's error for a match that is registered already, which is reported as `conflict`.
 */
export async function insertClientCertificate(
  tx: Transaction,
  certificate: NewClientCertificate,
): Promise<ClientCertificateRow> {
  const { match, createdAt } = certificate;
  await tx.run(revokeExpired, { match, now: createdAt });
  const [row] = await tx.run(insert, certificate);
  if (!row) throw new Error('An inserted client certificate gave no row.');
  return row;
}

/** Ends a certificate. Gives it to one of several concurrent callers. */
export async function revokeClientCertificate(
  tx: Transaction,
  org: string,
  id: number,
  now: Date,
): Promise<ClientCertificateRow | undefined> {
  return (await tx.run(revoke, { org, id, now }))[0];
}

export const touchClientCertificate = touchIn('clientCertificates');
