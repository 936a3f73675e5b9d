import type { Logger } from 'pino';
import { namedCaller } from '../auth/named-caller.ts';
import type { Principal } from '../auth/policy.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Usage } from './usage.ts';

/**
 * Called for each request that used something deprecated, whichever door it came through.
 *
 * @param principal null for a caller without usable credentials.
 * @param names routes such as `POST /v1/charges`, or coordinates of the schema such as `Charge.cents`.
 */
export type NoteDeprecatedUse = (principal: Principal | null, names: readonly string[]) => void;

/**
 * Counts what is still used of what will go: in the log, a line for each such request, so that it can be found out who is
 * to be contacted; in the metrics, which show when no client is left; and for the organisation of the caller.
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
