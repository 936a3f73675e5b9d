/** Records of oidc-provider of one kind, stored by the hash of their code or token, with encrypted payloads. */
import { decodeJwt } from 'jose';
import { type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { StoredToken } from '../../auth/apps/opaque-tokens.ts';
import { hashSecret } from '../../auth/random-secrets.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Role } from '../../core/roles.ts';
import {
  consumeOAuthRecord,
  DEVICE_CODE,
  findOAuthRecord,
  findOAuthRecordByUid,
  findOAuthRecordByUserCode,
  removeOAuthRecord,
  removeOAuthRecordsOfGrant,
  replaceOAuthRecord,
  saveOAuthRecord,
} from '../../db/queries/oauth-records.ts';
import type { OAuthRecordRow } from '../../db/rows.ts';
import type { Services } from '../../pipeline/context.ts';
import { payForRecord } from './paying.ts';

type RecordParts = Pick<Services, 'database' | 'vault' | 'budget' | 'clock'>;

export interface OAuthRecord {
  readonly row: OAuthRecordRow;
  readonly payload: AdapterPayload;
}

export class OAuthRecords {
  readonly #model: string;
  readonly #parts: RecordParts;

  /** @param model oidc-provider's name of the kind, such as `AuthorizationCode`. */
  constructor(model: string, parts: RecordParts) {
    this.#model = model;
    this.#parts = parts;
  }

  /**
   * Stores a record. The client pays for its length, unless a person has consented to the grant that it belongs to.
   *
   * @param lifetime the lifetime of the record in seconds.
   * @throws OAuthFailure for `rate_limited`.
   */
  async save(id: string, payload: AdapterPayload, lifetime: number): Promise<void> {
    const { database, clock } = this.#parts;
    const { uid, userCode } = payload;
    const record = {
      ...this.#sealed(hashSecret(id), payload),
      uid: uid ?? null,
      userCode: userCode === undefined ? null : hashSecret(userCode),
      expiresAt: new Date(clock().getTime() + lifetime * 1000),
    };
    if (record.grantId === null) await payForRecord(this.#parts, record.payload.length);
    await database.transaction((tx) => saveOAuthRecord(tx, record));
  }

  /** Replaces the payload of a record. @returns whether it was still as it was read. */
  async replace({ row: { key, payload: former } }: OAuthRecord, payload: AdapterPayload): Promise<boolean> {
    const changed = { ...this.#sealed(key, payload), former };
    const row = await this.#parts.database.transaction((tx) => replaceOAuthRecord(tx, changed));
    return row !== undefined;
  }

  async find(id: string): Promise<OAuthRecord | undefined> {
    const named = { ...this.#named(id), since: this.#expiresAfter() };
    return this.#opened(await findOAuthRecord(this.#parts.database, named));
  }

  async findByUid(uid: string): Promise<OAuthRecord | undefined> {
    const { database } = this.#parts;
    const named = { model: this.#model, uid, since: this.#expiresAfter() };
    return this.#opened(await findOAuthRecordByUid(database, named));
  }

  async findByUserCode(code: string): Promise<OAuthRecord | undefined> {
    const { database } = this.#parts;
    const named = { model: this.#model, userCode: hashSecret(code), since: this.#expiresAfter() };
    return this.#opened(await findOAuthRecordByUserCode(database, named));
  }

  /** Marks a record as used. Returns true for only one of several concurrent callers. */
  async consume(id: string): Promise<boolean> {
    const consumed = await this.#parts.database.transaction((tx) => consumeOAuthRecord(tx, this.#named(id)));
    return consumed !== undefined;
  }

  /** Removes a record, and returns it. */
  async remove(id: string): Promise<OAuthRecord | undefined> {
    return this.#opened(
      await this.#parts.database.transaction((tx) => removeOAuthRecord(tx, this.#named(id))),
    );
  }

  async removeOfGrant(grantId: number): Promise<void> {
    const record = { model: this.#model, grantId };
    await this.#parts.database.transaction((tx) => removeOAuthRecordsOfGrant(tx, record));
  }

  #sealed(key: string, { consumed: _consumed, ...kept }: AdapterPayload) {
    const { grantId } = kept;
    return {
      model: this.#model,
      key,
      payload: this.#parts.vault.seal(JSON.stringify(kept), this.#vaultPath(key)),
      grantId: grantId === undefined ? null : Number(grantId),
    };
  }

  #named(id: string) {
    return { model: this.#model, key: hashSecret(id), now: this.#parts.clock() };
  }

  async #opened(row: OAuthRecordRow | undefined): Promise<OAuthRecord | undefined> {
    if (!row) return undefined;
    return { row, payload: JSON.parse(await this.#parts.vault.open(row.payload, this.#vaultPath(row.key))) };
  }

  /**
   * Returns the time after which a record must expire to be found: device codes are found for some time after their expiry. Their rows
   * have the expiry itself, as in versions without this time, which may run alongside.
   */
  #expiresAfter(): Date {
    const retention = this.#model === DEVICE_CODE ? LIMITS.expiredCodeRetention : 0;
    return new Date(this.#parts.clock().getTime() - retention);
  }

  #vaultPath(key: string): string {
    return `oauth_records/${this.#model}/${key}/payload`;
  }
}

/** Whether an id is that of the client assertion of the current request, which was verified, and not that of its proof. */
function isOfAssertion(id: string): boolean {
  const assertion = Provider.ctx?.oidc.params?.['client_assertion'];
  return typeof assertion === 'string' && decodeJwt(assertion).jti === id;
}

/** The id of the record that a client has used an assertion or a proof. */
const usageKey = (clientId: string, id: string): string => JSON.stringify([clientId, id]);

/** oidc-provider would respond that the grant is invalid, so that clients discard their refresh token (RFC 9449, section 5). */
const usedProof = () => new errors.InvalidDpopProof('the proof was already used');

/**
 * Accepts each client assertion and each proof of possession once, also of parallel requests and on several instances: oidc-provider
 * would read and then write, so that requests between the two would all succeed.
 */
export function refuseReplays({ ReplayDetection }: Provider, parts: RecordParts): void {
  const records = new OAuthRecords('ReplayDetection', parts);
  /** @param expiresAt when the assertion expires, or a proof that was made now, in seconds since 1970. */
  const unique = async (clientId: string, id: string, expiresAt: number): Promise<boolean> => {
    const key = usageKey(clientId, id);
    const remaining = expiresAt - parts.clock().getTime() / 1000;
    const ofAssertion = isOfAssertion(id);
    // A proof may be dated as far ahead as it is accepted after its date. oidc-provider compares whole seconds.
    await records.save(key, {}, ofAssertion ? remaining : 2 * (remaining + 1));
    if (await records.consume(key)) return true;
    if (!ofAssertion) throw usedProof();
    return false;
  };
  Object.defineProperty(ReplayDetection, 'unique', { value: unique });
}

/**
 * Requires that the proof of a request was not used before, without using it. oidc-provider has verified it.
 *
 * @throws InvalidDpopProof otherwise.
 */
export async function requireUnusedProof(ctx: KoaContextWithOIDC, parts: RecordParts): Promise<void> {
  const proof = ctx.get('DPoP');
  if (proof === '') return;
  const key = usageKey(String(ctx.oidc.client?.clientId), String(decodeJwt(proof).jti));
  if (await new OAuthRecords('ReplayDetection', parts).find(key)) throw usedProof();
}

/** Returns a function that finds an opaque token: of a person's grant, or of an app's own. */
export function createTokenFinder(parts: RecordParts): (token: string) => Promise<StoredToken | undefined> {
  const accessTokens = new OAuthRecords('AccessToken', parts);
  const ownTokens = new OAuthRecords('ClientCredentials', parts);
  return async (token) => {
    const ofPerson = await accessTokens.find(token);
    const found = ofPerson ?? (await ownTokens.find(token));
    if (!found) return undefined;
    const { scope = '', extra = {}, jkt, 'x5t#S256': x5t } = found.payload;
    // An app's own token has the scope with which it was issued among its claims; in its record it has the requested one.
    const given = ofPerson ? scope : extra['scope'];
    // Former versions did not store it. The client then gets 401 and requests another token, as after its expiry.
    if (given === undefined) return undefined;
    const isBound = jkt !== undefined || x5t !== undefined;
    return {
      grantId: Number(extra['gid']),
      scope: String(given),
      // Only this server writes the record, with the claims of `token-claims.ts`.
      role: extra['role'] as Role,
      expiresAt: found.row.expiresAt,
      confirmation: isBound
        ? { ...(jkt !== undefined && { jkt }), ...(x5t !== undefined && { x5t }) }
        : undefined,
    };
  };
}
