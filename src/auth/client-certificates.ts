import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { BoundDatabase } from '../db/bound.ts';
import {
  clientCertificateRows,
  findUsableCertificates,
  insertClientCertificate,
} from '../db/queries/credentials.ts';
import type { ClientCertificateRow } from '../db/rows.ts';
import {
  type CertificateMatch,
  matchesOf,
  mostSpecific,
  type PresentedCertificate,
  storedMatch,
} from './certificate-matches.ts';
import { type Commits, credentialExpired, recordChange } from './changes.ts';
import { type NewCredential, OwnedCredentials } from './owned-credentials.ts';
import type { Principal } from './policy.ts';

interface NewClientCertificate extends NewCredential {
  readonly match: CertificateMatch;
}

/**
 * Client certificates as credentials of machines (mutual TLS). A registered certificate acts for the person who registered it,
 * like an API key. The TLS handshake, or a trusted proxy, has checked that it is valid and from a trusted authority.
 */
export class ClientCertificates extends OwnedCredentials {
  protected readonly kind = 'certificate';
  protected readonly revoked = 'client_certificate.revoked';
  protected readonly rows = clientCertificateRows;
  protected readonly maximum = { count: LIMITS.clientCertificates, name: 'client certificates' };

  /**
   * Registers a certificate for the caller.
   *
   * @param work runs the change.
   * @throws ApiError `validation_failed` naming each invalid value, `conflict` for a match that is already registered or when the organisation has
   *   the maximum number of certificates, and the errors of `recordChange`.
   */
  async register(
    caller: Principal,
    input: NewClientCertificate,
    work: Commits,
  ): Promise<ClientCertificateRow> {
    const columns = this.columnsOf(caller, input, storedMatch(input.match, 'input.match'));
    return work.commit(async (tx) => {
      await this.requireBelowMaximum(tx, columns.org);
      const row = await insertClientCertificate(tx, columns);
      const { org, name, match, scopes, expiresAt } = columns;
      const data = { name, match, scopes, expires_at: expiresAt?.toISOString() ?? null };
      const event = { org, type: 'client_certificate.created', subjectId: row.id, data } as const;
      await recordChange(tx, caller, event, this.options.clock);
      return row;
    });
  }

  /**
   * Verifies a certificate. The principal has the current role of the person who registered it, and those scopes of the
   * registration that this role includes.
   *
   * @throws ApiError `invalid_token` for a certificate that is not registered, was revoked, or matches several registrations of
   *   one kind or of several organisations; `token_expired` if it or its registration has expired; `unavailable` when the
   *   database cannot be read.
   */
  async verify(certificate: PresentedCertificate): Promise<Principal> {
    const { database, clock } = this.options;
    const { thumbprint, validFrom, validTo } = certificate;
    const now = clock();
    if (now < validFrom || now >= validTo) throw expired();
    const matches = matchesOf(certificate);
    if (matches.length > LIMITS.certificateNames) throw refusal('has too many names');
    // The owner is not known yet.
    const flow = { org: ':client-certificates', caller: thumbprint };
    const usable = await findUsableCertificates(new BoundDatabase(database, undefined, flow), { matches });
    const live = usable.filter(({ expiresAt }) => !expiresAt || expiresAt > now);
    const [org, ...others] = new Set(live.map((one) => one.org));
    // Otherwise one organisation could make the machines of another act for it, by registering a more specific match.
    if (others.length > 0) throw refusal('matches registrations of several organisations');
    // An expired registration of the same organisation counts, since a less specific one may give more rights.
    const found = mostSpecific(usable.filter((one) => org === undefined || one.org === org));
    const [row] = found;
    if (!row) throw refusal('is not registered, or was revoked');
    if (found.length > 1) throw refusal('matches several registrations');
    if (row.expiresAt && row.expiresAt <= now) throw expired();
    return this.admit(row, now, validTo.getTime());
  }
}

const refusal = (problem: string) =>
  new ApiError('invalid_token', { message: `The client certificate ${problem}.` });

const expired = () => credentialExpired({ kind: 'certificate' });
