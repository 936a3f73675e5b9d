import type { Principal } from '../auth/policy.ts';
import type { Flow } from '../core/fair-queue.ts';
import { networkOf } from '../core/networks.ts';

/** A verified token gives the same principal with every request. */
const flows = new WeakMap<Principal, Flow>();

/**
 * Who answers for a request, in budgets and in queues: a person in an organisation, a key, or else the network that the request
 * comes from.
 */
export function flowOf({ principal, address }: { principal: Principal | null; address: string }): Flow {
  if (!principal) return { org: '', caller: `network:${networkOf(address)}` };
  let flow = flows.get(principal);
  if (flow === undefined) {
    const { kind, tokenId, org, userId } = principal;
    flow = { org, caller: kind === 'api_key' ? `key:${tokenId}` : `user:${org}:${userId}` };
    flows.set(principal, flow);
  }
  return flow;
}
