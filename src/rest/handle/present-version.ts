import { ApiError } from '../../core/errors.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Route } from '../compile/route.ts';
import type { RestRequest } from './binding.ts';
import { evaluate, isConditional, needsPresentVersion, readConditions } from './conditions.ts';

/**
 * Supports changes with `If-None-Match: "v3"`, which apply to any version except that one. The current version is read with the
 * GET route of the same path; the change then requires exactly that version, so it fails after a concurrent change.
 */
export function withPresentVersion(route: Route, routes: readonly Route[]): Route {
  const reader = routes.find(({ method, path }) => method === 'GET' && path === route.path);
  if (!reader || !route.variables.some(({ source }) => source === 'ifMatch')) return route;
  return {
    ...route,
    handle: async (request, context) => {
      if (!mustRead(request)) return route.handle(request, context);
      const unconditional = { ...request, ifMatch: undefined, ifNoneMatch: undefined };
      const etag = await presentTag(reader, unconditional, context);
      if (etag !== undefined && evaluate(readConditions(request), etag, false) === 'failed')
        throw new ApiError('precondition_failed');
      return route.handle({ ...unconditional, ifMatch: etag }, context);
    },
  };
}

/** Returns the current tag; undefined if the resource does not exist. The change then runs without conditions, and reports it. */
async function presentTag(
  reader: Route,
  request: RestRequest,
  context: Context,
): Promise<string | undefined> {
  try {
    const { etag } = await reader.handle({ ...request, query: {}, body: undefined }, context);
    return etag;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Whether the current version must be read. Malformed conditions are left to the route, which refuses them at its price. */
function mustRead(request: RestRequest): boolean {
  if (!isConditional(request)) return false;
  try {
    return needsPresentVersion(readConditions(request));
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
