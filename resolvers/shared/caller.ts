import type { Principal } from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Context } from '../../src/pipeline/context.ts';

/**
 * Who is calling. `@auth` has already turned away a caller without credentials from the fields that have it; here the
 * type system is told.
 */
export function callerOf(context: Context): Principal {
  if (context.principal === null) throw new ApiError('unauthenticated');
  return context.principal;
}
