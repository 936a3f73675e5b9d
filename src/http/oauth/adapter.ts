/** The storage of oidc-provider. Its clients and grants are the apps and grants of the domain. */
import { createHmac } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { appIdOf } from '../../auth/apps/client-id.ts';
import { endGrantById, type RevocationReason } from '../../auth/apps/grants.ts';
import type { Keys } from '../../auth/keys.ts';
import { originOf } from '../../auth/origins.ts';
import { hashSecret } from '../../auth/random-secrets.ts';
import { LIMITS } from '../../core/limits.ts';
import { BoundDatabase } from '../../db/bound.ts';
import type { Database } from '../../db/database.ts';
import { findClientApp } from '../../db/queries/apps.ts';
import { findLiveGrant, type LiveGrant } from '../../db/queries/grants.ts';
import { DEVICE_CODE } from '../../db/queries/oauth-records.ts';
import type { Services } from '../../pipeline/context.ts';
import { resourcesAt } from '../resources.ts';
import { payForGuess } from './paying.ts';
import { clientOf, grantPayload } from './provider-payloads.ts';
import { type OAuthRecord, OAuthRecords } from './records.ts';

type AdapterParts = Pick<Services, 'database' | 'vault' | 'budget' | 'clock' | 'publicUrl'> & {
  readonly keys: Keys;
};

/** The grant of each request, as it was found. */
const grants = new WeakMap<KoaContextWithOIDC, LiveGrant>();

/**
 * Returns the grant of a request. It may have ended since: of parallel exchanges of a code the first one succeeds, but the others
 * end the grant, and its tokens become void.
 */
export const grantOf = (ctx: KoaContextWithOIDC): LiveGrant | undefined => grants.get(ctx);

export class OAuthAdapter implements Adapter {
  readonly #model: string;
  readonly #parts: AdapterParts;
  readonly #records: OAuthRecords;
  readonly #refreshTokens: OAuthRecords;

  constructor(model: string, parts: AdapterParts) {
    this.#model = model;
    this.#parts = parts;
    this.#records = new OAuthRecords(model, parts);
    this.#refreshTokens = new OAuthRecords('RefreshToken', parts);
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // A grant was written with its event when the person consented.
    if (this.#model === 'Grant') return;
    // A session grows with the apps of its person. An interaction grows with its steps, and its parameters were within the limit.
    const sent = payload.params ?? payload;
    if (this.#model !== 'Session' && JSON.stringify(sent).length > LIMITS.oauthRecordLength) {
      throw new errors.InvalidRequest('the parameters of the request are too long');
    }
    if (this.#model === 'RefreshToken' && Provider.ctx?.oidc.entities.DeviceCode) {
      await this.#requireSameKey(id, payload);
    }
    const former = this.#model === DEVICE_CODE ? await this.#records.find(id) : undefined;
    if (!former) return this.#records.save(id, payload, expiresIn);
    if (mayFollow(former.payload, payload) && (await this.#records.replace(former, payload))) return;
    throw new DecidedDeviceError('the device code was already used');
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { database, publicUrl } = this.#parts;
    if (this.#model === 'Client') {
      const appId = appIdOf(id);
      const app = appId === undefined ? undefined : await findClientApp(database, { id: appId });
      return app && clientOf(app);
    }
    if (this.#model === 'Grant') {
      const grant = await findLiveGrant(database, { id: Number(id) });
      if (!grant) return undefined;
      if (Provider.ctx) grants.set(Provider.ctx, grant);
      return grantPayload(grant, resourcesAt(publicUrl));
    }
    const record = await this.#records.find(id);
    return record && this.#payloadOf(record, id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const record = await this.#records.findByUid(uid);
    return record && this.#payloadOf(record);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const record = await payForGuess(this.#parts, () => this.#records.findByUserCode(userCode));
    return record && this.#payloadOf(record);
  }

  /**
   * Marks a record as used, by one guarded update: of parallel exchanges one succeeds. Reuse revokes the grant, except for what a client
   * may send again because the response may have been lost.
   *
   * @throws InvalidGrant if the record was used before.
   */
  async consume(id: string): Promise<void> {
    if (await this.#records.consume(id)) return;
    const record = await this.#records.find(id);
    if (record && (await this.#mayComeAgain(record, id))) return;
    if (record?.row.grantId != null) await endGrantById(this.#here(), record.row.grantId, reasonNow());
    throw new errors.InvalidGrant(`${this.#model} was used before`);
  }

  async destroy(id: string): Promise<void> {
    if (this.#model === 'Grant') return endGrantById(this.#here(), Number(id), reasonNow());
    const record = await this.#records.remove(id);
    // If an app revokes a token of its own, its own grant ends with all tokens, and its next token begins another grant.
    const own = this.#model === 'ClientCredentials' ? record?.payload.extra?.['gid'] : undefined;
    if (own !== undefined) await endGrantById(this.#here(), Number(own), 'revoked_by_app');
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#records.removeOfGrant(Number(grantId));
  }

  /** Returns the parts with the client address of the current request, for the audit log. */
  #here(): AdapterParts {
    return { ...this.#parts, database: fromAddress(this.#parts.database, Provider.ctx?.ip) };
  }

  async #payloadOf(record: OAuthRecord, id?: string): Promise<AdapterPayload> {
    const { consumedAt, expiresAt } = record.row;
    // A device code is still found, and oidc-provider responds that it has expired: by the clock of the other parts, which decides for
    // all records. It takes 0 for a missing expiry, and would replace it when it notes that the person refused.
    if (expiresAt.getTime() <= this.#parts.clock().getTime()) return { ...record.payload, exp: 1 };
    if (consumedAt === null || (id !== undefined && (await this.#mayComeAgain(record, id)))) {
      return record.payload;
    }
    return { ...record.payload, consumed: Math.floor(consumedAt.getTime() / 1000) };
  }

  /** Whether a used device code or refresh token may be used again: for some time, unless the refresh token that it gave was used. */
  async #mayComeAgain({ row: { consumedAt } }: OAuthRecord, id: string): Promise<boolean> {
    const window = REPLAY_WINDOWS[this.#model];
    if (window === undefined || consumedAt === null) return false;
    const { clock, keys } = this.#parts;
    if (clock().getTime() - consumedAt.getTime() > window) return false;
    for (const successor of successorsOf(id, keys)) {
      const next = await this.#refreshTokens.find(successor);
      if (!next) continue;
      if (Provider.ctx) successors.set(Provider.ctx, successor);
      return next.row.consumedAt === null;
    }
    return true;
  }

  /**
   * Refuses a device code that comes again with another key (DPoP) than the first time: the refresh token would change its owner, and
   * the former one could no longer use it. A refresh token needs no such check, since it is itself bound to its key.
   *
   * @throws InvalidGrant after it has ended the grant, since one of the two clients is a thief.
   */
  async #requireSameKey(id: string, { jkt, grantId }: AdapterPayload): Promise<void> {
    const given = await this.#records.find(id);
    if (!given || given.payload.jkt === jkt) return;
    if (grantId !== undefined) await endGrantById(this.#here(), Number(grantId), reasonNow());
    throw new errors.InvalidGrant('the device code was used with another key');
  }
}

/** For a person who confirms, allows or refuses a device after another one. The page for codes selects its text by this name. */
class DecidedDeviceError extends errors.InvalidGrant {}

/** Whether a device code may change: it waits for a person, then one has confirmed it, and in the end it is allowed or refused. */
function mayFollow(former: AdapterPayload, next: AdapterPayload): boolean {
  const isDecided = ({ accountId, error }: AdapterPayload) => accountId !== undefined || error !== undefined;
  if (isDecided(former)) return false;
  return former.inFlight ? next.inFlight === true && isDecided(next) : true;
}

/** Milliseconds for which a used record may come again, by its model. An authorization code never may: browsers and logs see it. */
const REPLAY_WINDOWS: Readonly<Record<string, number | undefined>> = {
  RefreshToken: LIMITS.refreshReplayWindow,
  [DEVICE_CODE]: LIMITS.deviceReplayWindow,
};

/** The purpose for which the secrets of {@link successorOf} are derived from the keys. */
const PURPOSE = 'portico app refresh token successor 1';

/** The refresh tokens that may have been given for a used one or a device code: one for each key, that of the current key first. */
const successorsOf = (used: string, keys: Keys) =>
  keys
    .secrets(PURPOSE)
    .map((secret) => createHmac('sha256', secret).update(hashSecret(used)).digest('base64url'));

/** The refresh token that was given before for what a request sends again. The keys may have been rotated since. */
const successors = new WeakMap<KoaContextWithOIDC, string>();

/**
 * Derives a refresh token from what it is given for, the previous one or a device code, so that a client whose response was lost gets the
 * same token again.
 */
export const successorOf = (ctx: KoaContextWithOIDC, used: string, keys: Keys): string | undefined =>
  successors.get(ctx) ?? successorsOf(used, keys)[0];

/** Returns the database for changes by a request without credentials of the API, which records its address. */
export const fromAddress = (database: Database, address: string | undefined): Database =>
  new BoundDatabase(database, undefined, undefined, { origin: originOf(null, address ?? null) });

/** Returns why oidc-provider ends a grant, which follows from the current request. */
function reasonNow(): RevocationReason {
  const oidc = Provider.ctx?.oidc;
  if (oidc?.route === 'revocation') return 'revoked_by_app';
  return oidc?.params?.['grant_type'] === 'refresh_token' ? 'refresh_token_reused' : 'code_reused';
}
