/**
 * Client certificates as credentials of machines (mutual TLS). A registered certificate acts for the person who registered it,
 * like an API key. The TLS handshake, or a trusted proxy, has checked that it is valid and from a trusted authority.
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
import { type Commit, holdRights, recordChange } from './changes.ts';
import type { CredentialUses } from './credential-uses.ts';
import { refuseApps } from './grants.ts';
import { type NewCredential, problemsWithCredential, tokenIdOf } from './machine-credentials.ts';
import { type Principal, scopesWithin } from './policy.ts';

export interface NewClientCertificate extends NewCredential {
  readonly match: CertificateMatch;
}

export interface ClientCertificates {
  /**
   * Registers a certificate for the caller.
   *
   * @param path the path of the input in the caller's arguments, with which the details of an error begin.
   * @param commit runs the change.
   * @throws ApiError `validation_failed` naming each invalid value, `conflict` for a match that is already registered, and the
   *   errors of `recordChange`.
   */
  register(
    caller: Principal,
    input: NewClientCertificate,
    path: string,
    commit: Commit,
  ): Promise<ClientCertificateRow>;
  /** Revokes a registration from the next request on. A revoked one stays unchanged. @throws ApiError like `holdRights`. */
  revoke(caller: Principal, id: number, own: Database): Promise<void>;
  /**
   * Verifies a certificate. The principal has the current role of the person who registered it, and those scopes of the
   * registration that this role includes.
   *
   * @throws ApiError `invalid_token` for a certificate that is not registered, was revoked, or matches several registrations of
   *   one kind or of several organisations; `token_expired` if it or its registration has expired; `unavailable` when the
   *   database cannot be read.
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
    async register(caller, input, path, commit) {
      refuseApps(caller);
      const now = clock();
      const match = storedMatch(input.match, `${path}.match`);
      const details = problemsWithCredential(input, caller, now, path);
      if ('problem' in match) details.push(match.problem);
      if (details.length > 0 || 'problem' in match) throw new ApiError('validation_failed', { details });
      const { org, userId, role } = caller;
      const { name, expiresAt } = input;
      const scopes = scopesWithin(role, input.scopes);
      return commit(async (tx) => {
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
        // Checked before the change, since a certificate may revoke itself.
        const held = await holdRights(tx, caller);
        const ended = await revokeClientCertificate(tx, { org, id, now: clock() });
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
      // The owner is not known yet.
      const flow = { org: ':client-certificates', caller: certificate.thumbprint };
      const usable = await findUsableCertificates(boundTo(database, undefined, flow), { matches });
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
