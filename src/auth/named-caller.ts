import { machineCredentialOf } from './machine-credentials.ts';
import type { Principal } from './policy.ts';

/** The caller as it appears in the server's log: its id, never its credentials. */
export const namedCaller = (principal: Principal) => ({
  kind: principal.kind,
  /** The id of the API key or certificate, otherwise of the person. */
  id: machineCredentialOf(principal) ?? principal.userId,
  org: principal.org,
  /** The client id of the app that acts for the person. */
  ...(principal.grant && { client: principal.grant.clientId }),
});
