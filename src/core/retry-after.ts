import { SECOND } from './limits.ts';

/** The milliseconds that Retry-After requests, 0 if the header is absent or invalid (RFC 9110, section 10.2.3). */
export function retryAfterOf(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
