import type { Clock } from '../core/clock.ts';
import { ApiError, type ErrorDetail } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { PendingWork } from '../core/pending-work.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { CredentialRows, OwnedCredential } from '../db/queries/credentials.ts';
import { queueForMembers } from '../db/queries/members.ts';
import { holdRights, recordChange } from './changes.ts';
import { problemsWithScopes, refuseApps } from './grantable-scopes.ts';
import { type Principal, scopesWithin } from './policy.ts';

/** The input for a new credential, `input` in the caller's arguments. */
export interface NewCredential {
  readonly name: string;
  readonly scopes: readonly string[];
  /** When the credential expires; null or left out for never. */
  readonly expiresAt?: Date | null | undefined;
}

interface OwnedCredentialsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Called for each use that could not be recorded. The request continues. */
  readonly onNotRecorded: (error: unknown) => void;
}

const TABLES = { api_key: 'apiKeys', certificate: 'clientCertificates' } as const;

/** What API keys and client certificates have in common: both are long-lived and act for the person who created them. */
export abstract class OwnedCredentials {
  protected abstract readonly kind: keyof typeof TABLES;
  protected abstract readonly revoked: 'api_key.revoked' | 'client_certificate.revoked';
  protected abstract readonly rows: CredentialRows;
  /** The maximum of one organisation, and what they are called in an error. */
  protected abstract readonly maximum: { readonly count: number; readonly name: string };
  protected readonly options: OwnedCredentialsOptions;
  /**
   * The times of the last attempts to write a use, oldest first, as long as they matter. The row does not show the time while it is being
   * written, after a failure, or to a request that read the row before.
   */
  readonly #tried = new Map<number, number>();
  readonly #pending = new PendingWork();

  constructor(options: OwnedCredentialsOptions) {
    this.options = options;
  }

  /**
   * Revokes a credential of the caller's organisation from the next request on. One that was revoked before stays unchanged.
   *
   * @param database the database of the request.
   * @throws ApiError like `holdRights`.
   */
  async revoke(caller: Principal, id: number, database: Database): Promise<void> {
    const { org } = caller;
    const { clock } = this.options;
    await database.transaction(async (tx) => {
      // Checked before the change, since a credential may revoke itself.
      const held = await holdRights(tx, caller);
      const ended = await this.rows.revoke(tx, { org, id, now: clock() });
      if (!ended) return;
      const data = { name: ended.name, user_id: ended.userId };
      await recordChange(tx, held, { org, type: this.revoked, subjectId: id, data }, clock);
    });
  }

  /**
   * Returns the columns of a new credential of the caller.
   *
   * @param own the columns that only this kind of credential has, or what is wrong with their values.
   * @throws ApiError `validation_failed` naming each invalid value, `forbidden` for apps.
   */
  protected columnsOf<Own extends object>(
    caller: Principal,
    input: NewCredential,
    own: Own | { readonly problem: ErrorDetail },
  ) {
    refuseApps(caller);
    const createdAt = this.options.clock();
    const details = problemsWith(input, caller, createdAt);
    if ('problem' in own) details.push(own.problem);
    if (details.length > 0 || 'problem' in own) throw new ApiError('validation_failed', { details });
    const { org, userId, role } = caller;
    const { name, expiresAt = null } = input;
    return { org, userId, name, scopes: scopesWithin(role, input.scopes), createdAt, expiresAt, ...own };
  }

  /**
   * Makes sure that the organisation has less than its maximum. No concurrent transaction adds one after this.
   *
   * @throws ApiError `conflict`.
   */
  protected async requireBelowMaximum(tx: Transaction, org: string): Promise<void> {
    await queueForMembers(tx, { org });
    const { count, name } = this.maximum;
    if ((await this.rows.countUsable(tx, { org, now: this.options.clock() })).rows < count) return;
    throw new ApiError('conflict', {
      message: `Your organisation has ${count} ${name}, which is the maximum. Revoke one that is not used.`,
    });
  }

  /**
   * Returns the principal of a verified credential, with those of its scopes that the owner's current role includes, and records the
   * use.
   *
   * @param end when it ends at the latest, in milliseconds since the epoch.
   */
  protected admit(row: OwnedCredential, now: Date, end = Number.POSITIVE_INFINITY): Principal {
    this.#noteUse(row, now);
    const { id, userId, org, role, scopes, expiresAt } = row;
    return {
      kind: this.kind,
      userId,
      org,
      role,
      scopes: new Set(scopesWithin(role, scopes)),
      expiresAt: Math.min(expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, end) / 1000,
      credential: { table: TABLES[this.kind], id },
    };
  }

  /** Resolves when all uses are recorded. Then the database may be closed. */
  settled(): Promise<void> {
    return this.#pending.settled();
  }

  /**
   * Records the time of the last use. This happens in the background: it never delays a request or makes it fail. Each credential is
   * written at most once per {@link LIMITS.keyUseInterval}, even if writing fails.
   */
  #noteUse({ id, lastUsedAt }: OwnedCredential, now: Date): void {
    const time = now.getTime();
    const last = Math.max(lastUsedAt?.getTime() ?? 0, this.#tried.get(id) ?? 0);
    if (time - last < LIMITS.keyUseInterval) return;
    this.#tried.delete(id);
    this.#tried.set(id, time);
    for (const [key, at] of this.#tried) {
      if (time - at < LIMITS.keyUseInterval) break;
      this.#tried.delete(key);
    }
    const { database, onNotRecorded } = this.options;
    const use = { id, now, unlessSince: new Date(time - LIMITS.keyUseInterval) };
    const write = async () => database.transaction((tx) => this.rows.touch(tx, use));
    void this.#pending.add(write().catch(onNotRecorded));
  }
}

function problemsWith({ scopes, expiresAt }: NewCredential, caller: Principal, now: Date): ErrorDetail[] {
  const details = problemsWithScopes(scopes, caller, 'input.scopes');
  const path = 'input.expiresAt';
  if (expiresAt && expiresAt <= now) details.push({ path, message: 'must be in the future' });
  // Otherwise an expiring key could renew itself forever. This does not apply to sessions: their person can sign in again.
  const end = expiresAt ? expiresAt.getTime() / 1000 : Number.POSITIVE_INFINITY;
  if (caller.credential && end > caller.expiresAt) {
    details.push({
      path,
      message: 'must not be later than the end of the credentials that you call with',
    });
  }
  return details;
}
