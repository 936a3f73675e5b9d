/** The schema and the routes, created as the server creates them. */
import type {} from 'graphql';
import type { Field } from '../../src/graphql/field.ts';
import { readApi } from '../../src/rest/api.ts';
import type { Route } from '../../src/rest/compile/route.ts';
import { DEFAULTS } from './settings.ts';

/** Shared by all servers that tests start in their process: creating it takes longer than the rest of the start. */
export const api = readApi(DEFAULTS);

export const { schema, routes, streamRoutes } = api;

/** The routes without those under /v2 that have the same operation as a route under /v1, since the same code handles them. */
export const distinctRoutes = routes.filter(
  (route, index) => routes.findIndex(({ document }) => document === route.document) === index,
);

/** A field of Query, Mutation or Subscription. */
export interface RootField {
  /** Such as `Query.order`. */
  readonly name: string;
  readonly operation: 'query' | 'mutation' | 'subscription';
  readonly field: Field;
}

export const rootFields: readonly RootField[] = (
  [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
).flatMap(([operation, type]) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({
    name: `${type?.name}.${field.name}`,
    operation,
    field,
  })),
);

/** Returns a name such as `GET /v1/orders/{order_id}`. */
export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;
