import { ApiError } from '../../core/errors.ts';
import type { Context } from '../../pipeline/context.ts';
import { noteRequest } from '../../pipeline/run.ts';
import type { Route } from '../compile/route.ts';
import type { RestRequest } from './binding.ts';
import { evaluate, isConditional, needsPresentVersion, readConditions } from './conditions.ts';

/**
 * Supports changes with `If-None-Match: "v3"`, and with more versions in `If-Match` than `ifVersion` takes: the current version is read with
 * the GET route of the resource, and the change requires exactly that version, so it fails after a concurrent change.
 */
export function withPresentVersion(route: Route, routes: readonly Route[]): Route {
  const reader = readerOf(route, routes);
  if (!reader || !route.variables.some(({ source }) => source === 'ifMatch')) return route;
  return {
    ...route,
    handle: async (request, context) => {
      if (!mustRead(request)) return route.handle(request, context);
      const unconditional = { ...request, ifMatch: undefined, ifNoneMatch: undefined };
      const etag = await presentTag(reader, unconditional, context).catch((error: unknown) => {
        noteRequest(context, request.door, route.document.name, true);
        throw error;
      });
      const isFailed = etag !== undefined && evaluate(readConditions(request), etag, false) === 'failed';
      // Other refusals have precedence over 412 (section 13.2.1), so the change is tried with a condition that no version meets.
      const condition = isFailed ? { ifNoneMatch: '*' } : { ifMatch: etag };
      return route.handle({ ...unconditional, ...condition }, context);
    },
  };
}

/** The GET route of the same path, or of its end: a member of an organisation is a person. */
function readerOf({ path }: Route, routes: readonly Route[]): Route | undefined {
  const [, version, resource] = /^(\/v\d+)?(\/.*)$/.exec(path) ?? [];
  const isOf = (reader: Route) =>
    reader.view.etag !== undefined &&
    reader.path.startsWith(version ?? '/') &&
    resource?.endsWith(reader.path.slice(version?.length ?? 0)) === true;
  const readers = routes.filter((reader) => reader.method === 'GET' && isOf(reader));
  return readers.find((reader) => reader.path === path) ?? readers[0];
}

/** Returns the current tag; undefined if the resource does not exist. The change then runs without conditions, and reports it. */
async function presentTag(
  reader: Route,
  request: RestRequest,
  context: Context,
): Promise<string | undefined> {
  try {
    const { etag } = await reader.handle({ ...request, isPart: true, query: {}, body: undefined }, context);
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
