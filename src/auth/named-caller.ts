import { machineCredentialOf } from './machine-credentials.ts';
import type { Principal } from './policy.ts';

/** The caller as it appears in the server's log: its id, never its credentials. */
export interface NamedCaller {
  readonly kind: Principal['kind'];
  /** The id of the API key or certificate, otherwise of the person. */
  readonly id: number;
  readonly org: string;
  /** The client id of the app that acts for the person. */
  readonly client?: string;
}

export function namedCaller(principal: Principal): NamedCaller {
  const { kind, userId, org, grant } = principal;
  return {
    kind,
    id: machineCredentialOf(principal) ?? userId,
    org,
    ...(grant && { client: grant.clientId }),
  };
}
