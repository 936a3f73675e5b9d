/**
 * A device token proves an earlier sign-in to an account on this device. It grants no access: it only ensures that wrong passwords
 * sent by others do not lock this device out (see `sign-in-limit.ts`). The method is OWASP's "Slow Down Online Guessing Attacks
 * with Device Cookies".
 */
import type { Clock } from '../core/clock.ts';
import { createCursors } from '../core/cursors.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Secrets } from '../core/vault.ts';

const PREFIX = 'pdt_';

/** The list name that distinguishes the seals of device tokens from those of cursors. */
const KIND = ['device token'];

/** @param secrets as for cursors. A token sealed with a removed key is invalid; the next sign-in issues another. */
export function createDeviceTokens(secrets: () => Secrets, clock: Clock) {
  const seals = createCursors(secrets);
  return {
    /** @param sessionId the session that began on the device. Its id identifies the device. */
    issue: (userId: number, sessionId: number): string =>
      PREFIX + seals.seal(KIND, [userId, sessionId, clock().getTime()]),
    /** Returns the id of the device if the token was issued for this account and is not too old; otherwise undefined. */
    deviceOf(token: string, userId: number): string | undefined {
      if (!token.startsWith(PREFIX)) return undefined;
      try {
        const [owner, device, issuedAt] = seals.open(KIND, token.slice(PREFIX.length));
        const isLate = clock().getTime() - Number(issuedAt) > LIMITS.deviceTokenLifetime;
        return owner === userId && !isLate ? String(device) : undefined;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'invalid_cursor') return undefined;
        throw error;
      }
    },
  };
}
