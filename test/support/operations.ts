/** Everything that can be asked of the server: the schema and the routes, made as the server makes them. */
import type {} from 'graphql';
import { readApi } from '../../src/api.ts';
import type { Field } from '../../src/graphql/field.ts';
import type { Route } from '../../src/rest/index.ts';
import { DEFAULTS } from './settings.ts';

/** The same for all servers that tests start in their process: making it takes longer than the rest of a server. */
export const api = readApi(DEFAULTS);

export const { schema, routes, streamRoutes } = api;

/** The routes without those under /v2 that are the same operation as one under /v1, handled by the same code. */
export const distinctRoutes = routes.filter(
  (route, index) => routes.findIndex(({ operation }) => operation === route.operation) === index,
);

/** A field of Query, Mutation or Subscription. */
export interface RootField {
  /** `Query.order` */
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

/** `GET /v1/orders/{order_id}` */
export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;
