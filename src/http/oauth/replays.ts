import type { Provider } from 'oidc-provider';
import { OAuthRecords, type RecordParts } from './records.ts';

/**
 * Accepts each client assertion and each proof of possession once, also of parallel requests and on several instances: oidc-provider
 * would read and then write, so that requests between the two would all succeed.
 */
export function refuseReplays({ ReplayDetection }: Provider, parts: RecordParts): void {
  const records = new OAuthRecords('ReplayDetection', parts);
  /** @param expiresAt when the assertion or the proof expires, in seconds since 1970. */
  const unique = async (issuer: string, id: string, expiresAt: number): Promise<boolean> => {
    const key = JSON.stringify([issuer, id]);
    await records.save(key, {}, expiresAt - parts.clock().getTime() / 1000);
    return records.consume(key);
  };
  Object.defineProperty(ReplayDetection, 'unique', { value: unique });
}
