import type { Transaction } from '../database.ts';
import { and, eq, isNull, lte, notExists, or } from '../drizzle/index.ts';
import { read } from '../query.ts';
import type { ClientCertificateRow } from '../rows.ts';
import { statement } from '../statement.ts';
import { type CredentialRows, countUsableIn, type OwnedCredential, touchIn } from './credentials.ts';
import { endIn, insertIn } from './shared/changing.ts';
import { findIn, ownerIn, rowsAfterIn } from './shared/owned.ts';

/** What is needed to authenticate the holder of a certificate. */
export interface CertificateOfOwner extends OwnedCredential {
  readonly match: string;
}

type NewClientCertificate = Omit<ClientCertificateRow, 'id' | 'revokedAt' | 'lastUsedAt'>;

/** The matching certificates that were not revoked and whose owner was not removed. The caller must check whether they have expired. */
export const findUsableCertificates = read.all<{ matches: readonly string[] }, CertificateOfOwner>(
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
      // Certificates of a person who moved to another organisation are not valid there.
      .innerJoin(users, and(eq(users.id, certificates.userId), eq(users.org, certificates.org)))
      .where(
        and(
          dialect.anyOf(certificates.match, p.matches),
          isNull(certificates.revokedAt),
          isNull(users.removedAt),
        ),
      ),
);

const insert = insertIn('clientCertificates', [
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
    const { match, revokedAt, expiresAt, userId, org } = certificates;
    const owner = orm
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.org, org), isNull(users.removedAt)));
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

/** The certificate with this id in this organisation, even if it was revoked or has expired. */
export const findClientCertificate = findIn('clientCertificates');
export const clientCertificatesAfter = rowsAfterIn('clientCertificates');
export const orgOfClientCertificate = ownerIn('clientCertificates');

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
  return insert(tx, certificate);
}

const revoke = endIn('clientCertificates.revoke', 'clientCertificates', 'revokedAt');

export const clientCertificateRows: CredentialRows = {
  revoke,
  touch: touchIn('clientCertificates'),
  countUsable: countUsableIn('clientCertificates'),
};
