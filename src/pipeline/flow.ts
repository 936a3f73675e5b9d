import { machineCredentialOf } from '../auth/machine-credentials.ts';
import type { Principal } from '../auth/policy.ts';
import type { Flow } from '../core/fair-queue.ts';
import { networkOf } from '../core/networks.ts';

/** Apps and machine credentials have their own budgets, so that no integration uses up that of its person. */
function callerKey(principal: Principal): string {
  const { tokenId, org, userId, grant } = principal;
  if (machineCredentialOf(principal) !== undefined) return `key:${tokenId}`;
  return grant ? `app:${grant.clientId}:${org}:${userId}` : `user:${org}:${userId}`;
}

/**
 * Returns the flow that a request counts for in budgets and queues: that of a person or app in an organisation, of a key or
 * certificate, or of the network that the request comes from.
 */
export function flowOf({ principal, address }: { principal: Principal | null; address: string }): Flow {
  if (!principal) return { org: '', caller: `network:${networkOf(address)}` };
  return { org: principal.org, caller: callerKey(principal) };
}
