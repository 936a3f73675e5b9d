import { ApiError } from '../../core/errors.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Route } from '../compile/route.ts';
import type { RestRequest } from './binding.ts';
import { evaluate, isConditional, needsPresentVersion, readConditions } from './conditions.ts';

/**
 * A change with `If-None-Match: "v3"` is of whichever version is there but that one. The version is read with the query of the same
 * path, and the change then applies to it alone, so that one in between fails it.
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

/** Undefined where nothing is there: what a change says of that is said without conditions. */
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

/** What cannot be read is refused by the route itself, at its price. */
function mustRead(request: RestRequest): boolean {
  if (!isConditional(request)) return false;
  try {
    return needsPresentVersion(readConditions(request));
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
