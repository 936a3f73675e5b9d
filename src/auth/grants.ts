/** Which scopes credentials may be given, whether they are a session's or a key's. */
import { ApiError, type ErrorDetail } from '../core/errors.ts';
import { isScope, type Principal, ROLE_SCOPES, SCOPES } from './policy.ts';

/** The grantor of scopes: the role that bounds them, and the credentials' own scopes. */
export type Grantor = Pick<Principal, 'role'> & Partial<Pick<Principal, 'scopes'>>;

/**
 * What is wrong with a wish for scopes: none or too many, and each one that does not exist or is not the grantor's to give.
 *
 * @param path where the list stands in what the client sent.
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
    if (scopes?.has(scope) === false) return { path: at, message: 'is not among those of your credentials' };
    return [];
  });
}

/** Apps make no credentials: what they made would outlive the grant that they made it with. @throws ApiError `forbidden`. */
export function refuseApps({ kind }: Principal): void {
  if (kind === 'app') {
    throw new ApiError('forbidden', {
      message: 'Apps cannot make accounts, credentials, apps or installations.',
    });
  }
}
