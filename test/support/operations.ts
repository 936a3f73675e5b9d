/** Everything that can be asked of the server: the schema and the routes, made as the server makes them. */
import { fileURLToPath } from 'node:url';
import type { GraphQLField } from 'graphql';
import type { Context } from '../../src/graphql/context.ts';
import { buildSchema } from '../../src/graphql/schema.ts';
import {
  createRoutes,
  createStreamRoutes,
  type Route,
  readDocuments,
  type StreamRoute,
} from '../../src/rest/index.ts';

const REST_FOLDER = fileURLToPath(new URL('../../rest', import.meta.url));

export const schema = buildSchema();

const documents = readDocuments(schema, REST_FOLDER);

export const routes: readonly Route[] = createRoutes(schema, documents);
export const streamRoutes: readonly StreamRoute[] = createStreamRoutes(schema, documents, routes);

/** A field of Query, Mutation or Subscription. */
export interface RootField {
  /** `Query.order` */
  readonly name: string;
  readonly operation: 'query' | 'mutation' | 'subscription';
  readonly field: GraphQLField<unknown, Context>;
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
