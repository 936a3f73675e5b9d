import type { GraphQLSchema } from 'graphql';
import { DocumentError, readOperations, withRestDirectives } from './documents.ts';
import { createRoute, type Route } from './route.ts';

export type { RestRequest } from './binding.ts';
export { DocumentError } from './documents.ts';
export type { RestResponse } from './handler.ts';
export type { Route, RouteMethod } from './route.ts';

/**
 * Reads the operation documents of a folder and makes them routes. A route of /v1 whose contract /v2 does not change
 * answers under /v2 as well.
 *
 * @throws DocumentError, with file and line, for the first document that cannot be a route.
 */
export function createRoutes(schema: GraphQLSchema, folder: string): Route[] {
  const extended = withRestDirectives(schema);
  const routes = readOperations(extended, folder).map((operation) =>
    createRoute(extended, schema, operation),
  );
  refuseDuplicates(routes);
  return [...routes, ...carriedOver(routes)];
}

/** Two paths that differ only in the names of their variables are the same path. */
const shapeOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  `${method} ${path.replace(/\{\w+\}/g, '{}')}`;

function refuseDuplicates(routes: readonly Route[]): void {
  const known = new Map<string, Route>();
  for (const route of routes) {
    const other = known.get(shapeOf(route));
    if (other) {
      throw new DocumentError(
        route.operation.definition,
        `${route.method} ${route.path} is already the route of ${other.operation.name}. Each needs a path of its own.`,
      );
    }
    known.set(shapeOf(route), route);
  }
}

function carriedOver(routes: readonly Route[]): Route[] {
  const own = new Set(routes.map(shapeOf));
  const toV2 = (path: string) => path.replace(/^\/v1\//, '/v2/');
  return routes
    .filter(
      (route) => route.path.startsWith('/v1/') && !own.has(shapeOf({ ...route, path: toV2(route.path) })),
    )
    .map((route) => ({
      ...route,
      path: toV2(route.path),
      movedFrom: route.movedFrom.map(toV2),
      handle: async (request, context) => {
        const response = await route.handle(request, context);
        const location = response.headers['location'];
        if (location !== undefined) response.headers['location'] = toV2(location);
        return response;
      },
    }));
}
