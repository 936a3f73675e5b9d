import { machineCredentialOf } from './machine-credentials.ts';
import type { Principal } from './policy.ts';

/** Who called, for those who read the log: by id, never by what they showed. */
export interface NamedCaller {
  readonly kind: Principal['kind'];
  /** Of the person, or of the key or certificate. */
  readonly id: number;
  readonly org: string;
  /** The app that acts for the person, by its client id. */
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
