/**
 * Client certificates as credentials of machines (mutual TLS). One that is registered acts for the person who registered it, like an
 * API key. Whether it is valid and of a trusted authority was decided by the handshake, or by a trusted proxy.
 */
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { boundTo } from '../db/bound.ts';
import type { Database } from '../db/database.ts';
import {
  findUsableCertificates,
  insertClientCertificate,
  revokeClientCertificate,
} from '../db/queries/client-certificates.ts';
import type { ClientCertificateRow } from '../db/rows.ts';
import {
  type CertificateMatch,
  matchesOf,
  mostSpecific,
  type PresentedCertificate,
  storedMatch,
} from './certificate-matches.ts';
import { holdRights, recordChange } from './changes.ts';
import type { CredentialUses } from './credential-uses.ts';
import { refuseApps } from './grants.ts';
import { type NewCredential, problemsWithCredential, tokenIdOf } from './machine-credentials.ts';
import { type Principal, scopesWithin } from './policy.ts';

export interface NewClientCertificate extends NewCredential {
  readonly match: CertificateMatch;
}

export interface ClientCertificates {
  /**
   * Registers a certificate for the person who is calling.
   *
   * @param path where the wish stands among the caller's arguments; the details of a refusal begin with it.
   * @throws ApiError `validation_failed` naming each value that is not allowed, `conflict` for a match that is registered already,
   *   and what `recordChange` throws.
   */
  register(
    caller: Principal,
    wish: NewClientCertificate,
    path: string,
    own: Database,
  ): Promise<ClientCertificateRow>;
  /** Ends a certificate from the next request on. One that has ended stays as it is. @throws ApiError as `holdRights`. */
  revoke(caller: Principal, id: number, own: Database): Promise<void>;
  /**
   * Whom a certificate stands for, with the role that its owner has now and those of its scopes that this role gives.
   *
   * @throws ApiError `invalid_token` for one that is not registered, was revoked, or fits several registrations of one kind or of
   *   several organisations; `token_expired` for one that has expired or whose registration has; `unavailable` when the database
   *   cannot say.
   */
  verify(certificate: PresentedCertificate): Promise<Principal>;
}

export interface ClientCertificatesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly uses: CredentialUses;
}

export function createClientCertificates({
  database,
  clock,
  uses,
}: ClientCertificatesOptions): ClientCertificates {
  return {
    async register(caller, wish, path, own) {
      refuseApps(caller);
      const now = clock();
      const match = storedMatch(wish.match, `${path}.match`);
      const details = problemsWithCredential(wish, caller, now, path);
      if ('problem' in match) details.push(match.problem);
      if (details.length > 0 || 'problem' in match) throw new ApiError('validation_failed', { details });
      const { org, userId, role } = caller;
      const { name, expiresAt } = wish;
      const scopes = scopesWithin(role, wish.scopes);
      return own.transaction(async (tx) => {
        const row = await insertClientCertificate(tx, {
          org,
          userId,
          name,
          match: match.stored,
          scopes,
          createdAt: now,
          expiresAt,
        });
        const data = { name, match: match.stored, scopes, expires_at: expiresAt?.toISOString() ?? null };
        const event = { org, type: 'client_certificate.created', subjectId: row.id, data } as const;
        await recordChange(tx, caller, event, clock);
        return row;
      });
    },

    async revoke(caller, id, own) {
      const { org } = caller;
      await own.transaction(async (tx) => {
        // Asked before, since a certificate may revoke itself.
        const held = await holdRights(tx, caller);
        const ended = await revokeClientCertificate(tx, org, id, clock());
        if (!ended) return;
        const data = { name: ended.name, user_id: ended.userId };
        const event = { org, type: 'client_certificate.revoked', subjectId: id, data } as const;
        await recordChange(tx, held, event, clock);
      });
    },

    async verify(certificate) {
      const now = clock();
      if (now < certificate.validFrom || now >= certificate.validTo) throw expired();
      const matches = matchesOf(certificate);
      if (matches.length > LIMITS.certificateNames) throw refusal('has too many names');
      // Whose it is, is known afterwards.
      const flow = { org: ':client-certificates', caller: certificate.thumbprint };
      const usable = await findUsableCertificates(boundTo(database, undefined, flow), matches);
      // One organisation could otherwise have the machines of another act for it, by registering what fits them better.
      const live = usable.filter(({ expiresAt }) => !expiresAt || expiresAt > now);
      if (new Set(live.map(({ org }) => org)).size > 1) throw refusal('fits those of several organisations');
      const found = mostSpecific(usable);
      const [row] = found;
      if (!row) throw refusal('is not registered here, or was revoked');
      if (found.length > 1) throw refusal('fits several registrations');
      if (row.expiresAt && row.expiresAt <= now) throw expired();
      uses.note(row, now);
      const end = Math.min(
        row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
        certificate.validTo.getTime(),
      );
      return {
        kind: 'certificate',
        userId: row.userId,
        org: row.org,
        role: row.role,
        scopes: new Set(scopesWithin(row.role, row.scopes)),
        expiresAt: end / 1000,
        tokenId: tokenIdOf('certificate', row.id),
      };
    },
  };
}

const refusal = (problem: string) =>
  new ApiError('invalid_token', { message: `The client certificate ${problem}.` });

const expired = () => new ApiError('token_expired', { message: 'The client certificate has expired.' });
