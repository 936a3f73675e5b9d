/** The routes of all operation documents, and what must hold among them. */
import type { GraphQLSchema } from 'graphql';
import type { Pricing } from '../pipeline/price/pricing.ts';
import { DocumentError, type Documents, type OperationDocument, sourceLine } from './compile/documents.ts';
import { createRoute, type Route, readRest } from './compile/route.ts';
import { withPresentVersion } from './handle/present-version.ts';
import { isSubscription } from './handle/stream-route.ts';

/**
 * Creates the routes of the documents. A route of /v1 also exists under /v2 if nothing there replaces it, and is not deprecated there.
 *
 * @throws DocumentError, with file and line, for the first document that cannot be a route.
 */
export function createRoutes(schema: GraphQLSchema, documents: Documents, pricing: Pricing): Route[] {
  const operations = documents.operations.filter((operation) => !isSubscription(operation));
  const readable = readablePaths(documents.schema, operations);
  const routes = operations.map((operation) =>
    createRoute(documents.schema, schema, pricing, operation, readable),
  );
  refuseDuplicates(routes);
  const conditional = routes.map((route) => withPresentVersion(route, routes));
  const all = [...conditional, ...carriedOver(conditional)];
  refuseUnknownSuccessors(all);
  refuseSilentDeprecations(all);
  return all;
}

function readablePaths(schema: GraphQLSchema, operations: Documents['operations']): ReadonlySet<string> {
  const rests = operations.map((operation) => readRest(schema, operation));
  return new Set(rests.filter(({ method }) => method === 'GET').map(({ path }) => path));
}

/** Returns a path without the names of its variables: paths that differ only in those are the same path. */
const shapeOfPath = (path: string) => path.replace(/\{\w+\}/g, '{}');

const shapeOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${shapeOfPath(path)}`;

function refuseDuplicates(routes: readonly Route[]): void {
  const byName = new Map<string, Route>();
  const byShape = new Map<string, Route>();
  const byPath = new Map<string, Route>();
  for (const route of routes) {
    const { document, method, path } = route;
    const refuse = (message: string) => {
      throw new DocumentError(document.definition, message);
    };
    const namesake = byName.get(document.name);
    if (namesake) {
      refuse(
        `${document.name} is already the name of an operation in ${sourceLine(namesake.document.definition)}. Names are ids in OpenAPI, so they must be unique.`,
      );
    }
    const other = byShape.get(shapeOf(route));
    if (other) {
      refuse(
        `${method} ${path} is already the route of ${other.document.name}. Each route needs its own path.`,
      );
    }
    const neighbour = byPath.get(shapeOfPath(path));
    if (neighbour && neighbour.path !== path) {
      refuse(
        `${method} ${path} is the path ${neighbour.path} of ${neighbour.document.name} with other variable names. Use the same names.`,
      );
    }
    byName.set(document.name, route);
    byShape.set(shapeOf(route), route);
    byPath.set(shapeOfPath(path), route);
  }
  refuseTakenFormerPaths(routes, byPath);
}

/** Refuses former paths that another route has: a former path only redirects to the current one. */
function refuseTakenFormerPaths(routes: readonly Route[], byPath: ReadonlyMap<string, Route>): void {
  const former = new Map<string, Route>();
  for (const route of routes) {
    for (const path of route.movedFrom) {
      const shape = shapeOf({ method: route.method, path });
      const other = byPath.get(shapeOfPath(path)) ?? former.get(shape);
      if (other) {
        throw new DocumentError(
          route.document.definition,
          `"${path}" cannot redirect to ${route.path}: it is a path of ${other.document.name}.`,
        );
      }
      former.set(shape, route);
    }
  }
}

/** Refuses deprecations whose successor is not a route, or is deprecated itself. */
function refuseUnknownSuccessors(routes: readonly Route[]): void {
  const known = new Set(routes.filter((route) => !route.deprecation).map(shapeOf));
  for (const { method, deprecation } of routes) {
    if (deprecation && !known.has(shapeOf({ method, path: deprecation.successor }))) {
      throw new DocumentError(
        deprecation.node,
        `The successor ${method} ${deprecation.successor} is not a route, or is deprecated itself.`,
      );
    }
  }
}

/** Refuses routes that use deprecated parts of the schema without being deprecated: they would end without notice. */
function refuseSilentDeprecations(routes: readonly Route[]): void {
  const checked = new Set<OperationDocument>();
  for (const { document, operation, method, path, deprecation } of routes) {
    // A route of /v1 that /v2 has unchanged has the same document there.
    if (deprecation || checked.has(document)) continue;
    checked.add(document);
    const [used] = operation.deprecations({});
    if (used) {
      throw new DocumentError(
        document.definition,
        `${method} ${path} uses ${used.coordinate}, which is deprecated. Use ${used.successor ?? 'another field'}, or add @deprecatedRoute.`,
      );
    }
  }
}

function carriedOver(routes: readonly Route[]): Route[] {
  const own = new Set(routes.map(shapeOf));
  const toV2 = (path: string) => path.replace(/^\/v1\//, '/v2/');
  const isReplaced = ({ path, deprecation }: Route) =>
    deprecation !== undefined && shapeOfPath(deprecation.successor) !== shapeOfPath(toV2(path));
  return routes
    .filter(
      (route) =>
        route.path.startsWith('/v1/') &&
        !isReplaced(route) &&
        !own.has(shapeOf({ ...route, path: toV2(route.path) })),
    )
    .map((route) => ({
      ...route,
      deprecation: undefined,
      path: toV2(route.path),
      movedFrom: route.movedFrom.map(toV2),
      moved: route.moved && { ...route.moved, successor: toV2(route.path) },
      carriedOver: true,
      handle: async (request, context) => {
        const response = await route.handle(request, context);
        const { location } = response;
        if (location === undefined) return response;
        const { basePath } = context;
        return { ...response, location: basePath + toV2(location.slice(basePath.length)) };
      },
    }));
}
