import type { Logger } from 'pino';
import { namedCaller } from '../auth/machine-credentials.ts';
import type { Principal } from '../auth/policy.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Usage } from './usage.ts';

/**
 * Called for each request of any door that used something deprecated.
 *
 * @param principal null for a caller without valid credentials.
 * @param names routes such as `POST /v1/charges`, or schema coordinates such as `Charge.cents`.
 */
export type NoteDeprecatedUse = (principal: Principal | null, names: readonly string[]) => void;

/**
 * Records uses of deprecated features: in the log, with a line per request that identifies the caller to contact; in the
 * metrics, which show when no client is left; and in the usage of the caller's organisation.
 */
export function createDeprecatedUses(
  logger: Pick<Logger, 'info'>,
  metrics: Metrics,
  usage: Pick<Usage, 'noteDeprecated'>,
): NoteDeprecatedUse {
  return (principal, names) => {
    for (const name of names) metrics.deprecatedUse(name, principal?.kind ?? 'anonymous');
    if (principal) usage.noteDeprecated(principal, names);
    logger.info(
      { deprecated: names, ...(principal && { principal: namedCaller(principal) }) },
      'deprecated use',
    );
  };
}
