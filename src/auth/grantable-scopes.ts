/** Checks which scopes may be granted to credentials, such as a session or an API key. */
import { ApiError, type ErrorDetail } from '../core/errors.ts';
import { isScope, type Principal, ROLE_SCOPES, SCOPES } from './policy.ts';

/** The grantor of scopes: its role, and the scopes of its credentials. Both limit what it can grant. */
type Grantor = Pick<Principal, 'role'> & Partial<Pick<Principal, 'scopes'>>;

/**
 * Returns the problems of requested scopes: none or too many, and each scope that does not exist or that the grantor cannot grant.
 *
 * @param path the path of the list in the client's input.
 */
export function problemsWithScopes(
  wanted: readonly string[],
  { role, scopes }: Grantor,
  path: string,
): ErrorDetail[] {
  if (wanted.length === 0 || wanted.length > SCOPES.length) {
    return [{ path, message: `must name 1 to ${SCOPES.length} scopes` }];
  }
  return wanted.flatMap((scope, index) => {
    const at = `${path}.${index}`;
    if (!isScope(scope)) return { path: at, message: 'is not a scope' };
    if (!ROLE_SCOPES[role].has(scope))
      return { path: at, message: `is not among the scopes of the role "${role}"` };
    if (scopes?.has(scope) === false)
      return { path: at, message: 'is not among the scopes of your credentials' };
    return [];
  });
}

/** Refuses apps, which must not create credentials: those would outlive the app's grant. @throws ApiError `forbidden`. */
export function refuseApps({ kind }: Principal): void {
  if (kind === 'app') {
    throw new ApiError('forbidden', {
      message: 'Apps cannot create accounts, credentials or installations, nor create or change apps.',
    });
  }
}
