import type { Logger } from 'pino';
import { namedCaller } from '../auth/policy.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Services } from './context.ts';
import type { Usage } from './usage.ts';

/** Records uses of deprecated features: in the log, which names the caller to contact, in the metrics, and in the usage of an organisation. */
export function createDeprecatedUses(
  logger: Pick<Logger, 'info'>,
  metrics: Metrics,
  usage: Pick<Usage, 'noteDeprecated'>,
): Services['noteDeprecatedUse'] {
  return (principal, names) => {
    for (const name of names) metrics.deprecatedUse(name, principal?.kind ?? 'anonymous');
    if (principal) usage.noteDeprecated(principal, names);
    const caller = principal && { principal: namedCaller(principal) };
    logger.info({ deprecated: names, ...caller }, 'deprecated use');
  };
}
