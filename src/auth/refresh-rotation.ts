/**
 * Exchanges refresh tokens. Each is used once; a second use by another client ends the session (RFC 9700, section 4.14.2).
 *
 * The database stores only hashes. The first token of a session is random. Each further one is an HMAC of its predecessor with a secret
 * derived from the key file, so that any instance can issue the same successor again to a client whose response was lost, although no
 * instance stores it. Computing a valid token requires an older one and the key file; a copy of the database does not help. If the
 * successor were stored encrypted in the row instead, a backup and an older token would be sufficient.
 *
 * The keys may have been rotated between the first response and the second. So the successor is computed with each key, and the one
 * whose hash is stored is the one that was issued. Keys stay in the file for weeks after a rotation, and a successor is issued again
 * only for seconds.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Origin } from '../db/origin.ts';
import {
  findRefreshToken,
  insertRefreshToken,
  noteSessionUse,
  type RefreshTokenOfSession,
  revokeSessionUnderOrgLock,
  rotateRefreshToken,
} from '../db/queries/sessions.ts';
import { record } from '../events/record.ts';
import type { Keys } from './keys.ts';
import { originOf } from './origins.ts';
import { hashSecret, TokenFormat } from './random-secrets.ts';

export const REFRESH_TOKEN = new TokenFormat('prt_');

/** The purpose for which the secrets are derived from the keys. */
const SUCCESSOR_PURPOSE = 'portico refresh token successor 1';

interface RefreshRotationParts {
  readonly database: Database;
  readonly keys: Pick<Keys, 'secrets' | 'reload'>;
  readonly clock: Clock;
}

type Refreshed =
  | { readonly outcome: 'given'; readonly session: RefreshTokenOfSession; readonly successor: string }
  | { readonly outcome: 'reused'; readonly session: RefreshTokenOfSession }
  | { readonly outcome: 'unknown' | 'successor_unknown' };

/**
 * Exchanges a refresh token for its successor.
 *
 * @throws ApiError `invalid_token` for a token that is unknown or used, or whose session has ended.
 */
export async function exchangeRefreshToken(
  parts: RefreshRotationParts,
  refreshToken: string,
  address?: string,
): Promise<{ readonly session: RefreshTokenOfSession; readonly successor: string }> {
  let result = await attempt(parts, refreshToken);
  if (result.outcome === 'successor_unknown') {
    // Another instance issued the successor with a key that this instance has not read yet.
    await parts.keys.reload();
    result = await attempt(parts, refreshToken);
  }
  if (result.outcome === 'reused') await endStolen(parts, result.session, originOf(null, address ?? null));
  if (result.outcome !== 'given') {
    throw new ApiError('invalid_token', { message: 'The refresh token is not valid. Sign in again.' });
  }
  return result;
}

async function attempt(
  { database, keys, clock }: RefreshRotationParts,
  refreshToken: string,
): Promise<Refreshed> {
  if (!REFRESH_TOKEN.accepts(refreshToken)) return { outcome: 'unknown' };
  const tokenHash = hashSecret(refreshToken);
  // Look the token up first, so that forged tokens do not queue for SQLite's only writer.
  const known = await findRefreshToken(database, { tokenHash });
  if (!known) return { outcome: 'unknown' };
  const successors = keys.secrets(SUCCESSOR_PURPOSE).map((secret) => successorOf(refreshToken, secret));
  return database.transaction((tx) => exchange(tx, known.sessionId, tokenHash, successors, clock));
}

/** The successor of a token; always the same for the same secret. */
const successorOf = (token: string, secret: KeyObject): string =>
  REFRESH_TOKEN.prefix + createHmac('sha256', secret).update(token).digest('base64url');

/**
 * Uses a refresh token. Only its row decides whether it was used before, so of any number of instances exactly one writes the
 * successor and the others find it.
 *
 * @param successors the token's successor under each key of the key file, that of the current key first.
 */
async function exchange(
  tx: Transaction,
  sessionId: number,
  tokenHash: string,
  successors: readonly string[],
  clock: Clock,
): Promise<Refreshed> {
  const now = clock();
  // Locks the session, so that no other request uses the successor while this one issues it again.
  await noteSessionUse(tx, { id: sessionId, now });
  const isFirstUse = await rotateRefreshToken(tx, { tokenHash, now });
  const session = await findRefreshToken(tx, { tokenHash });
  if (session === undefined || session.revokedAt !== null || session.expiresAt <= now) {
    return { outcome: 'unknown' };
  }
  if (isFirstUse) {
    const [successor] = successors;
    if (successor === undefined) throw new Error('There is no key to compute the next refresh token with.');
    await insertRefreshToken(tx, { sessionId, tokenHash: hashSecret(successor), createdAt: now });
    return { outcome: 'given', session, successor };
  }
  if (now.getTime() - (session.rotatedAt?.getTime() ?? 0) <= LIMITS.refreshReplayWindow) {
    const again = await giveAgain(tx, session, successors);
    if (again.outcome !== 'reused') return again;
  }
  return { outcome: 'reused', session };
}

/** Issues the successor again to a client whose response was lost. If it was used already, another client has received it. */
async function giveAgain(
  tx: Transaction,
  session: RefreshTokenOfSession,
  successors: readonly string[],
): Promise<Refreshed> {
  for (const successor of successors) {
    const given = await findRefreshToken(tx, { tokenHash: hashSecret(successor) });
    if (given?.sessionId !== session.sessionId) continue;
    return given.rotatedAt === null
      ? { outcome: 'given', session, successor }
      : { outcome: 'reused', session };
  }
  return { outcome: 'successor_unknown' };
}

/**
 * Ends a session whose tokens two parties hold: it is unknown which one is the owner, so both lose them. It runs in its own
 * transaction, since it locks the organisation before the session's row, while a refresh locks that row first.
 */
function endStolen(
  { database, clock }: RefreshRotationParts,
  session: RefreshTokenOfSession,
  origin: Origin,
): Promise<void> {
  const { sessionId: id, org, userId } = session;
  const reason = 'refresh_token_reused';
  return database.transaction(async (tx) => {
    if (!(await revokeSessionUnderOrgLock(tx, { org, id, reason, now: clock() }))) return;
    const event = {
      org,
      type: 'session.revoked',
      // Recorded as done by the server: naming the person would accuse the victim.
      actorId: null,
      subjectId: id,
      data: { reason, user_id: userId },
    } as const;
    await record(tx, event, clock, origin);
  });
}
