import { fileURLToPath } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { traceResolvers } from '../graphql/field.ts';
import { buildSchema } from '../graphql/schema.ts';
import { createPricing, type Pricing, type PricingOptions } from '../pipeline/price/pricing.ts';
import { readDocuments } from './compile/documents.ts';
import type { Route } from './compile/route.ts';
import { createStreamRoutes, type StreamRoute } from './handle/stream-route.ts';
import { createOpenApi } from './openapi/index.ts';
import type { OpenApi } from './openapi/types.ts';
import { createRoutes } from './routes.ts';
import { createTools, type Tool } from './tools/index.ts';

const REST_FOLDER = fileURLToPath(new URL('../../rest', import.meta.url));

/** Everything derived from the SDL, the operation documents and the limits of operations, and from nothing else. */
export interface Api {
  readonly schema: GraphQLSchema;
  readonly pricing: Pricing;
  readonly routes: readonly Route[];
  readonly streamRoutes: readonly StreamRoute[];
  /** Returns the OpenAPI description, which the first call writes. */
  readonly openApi: () => OpenApi;
  readonly tools: readonly Tool[];
}

export interface ApiOptions {
  readonly operations: PricingOptions;
  readonly traced?: boolean;
  /** The folder of operation documents; another one in tests. */
  readonly restFolder?: string | undefined;
}

/** Reads the SDL and the operation documents, for any number of servers. @throws DocumentError, or Error for an invalid schema. */
export function readApi({ operations, traced = false, restFolder = REST_FOLDER }: ApiOptions): Api {
  const schema = buildSchema();
  const pricing = createPricing(schema, operations);
  if (traced) traceResolvers(schema);
  const documents = readDocuments(schema, restFolder);
  const routes = createRoutes(schema, documents, pricing);
  const streamRoutes = createStreamRoutes(schema, documents, pricing, routes);
  const openApi = createOpenApi(schema, routes, streamRoutes);
  return { schema, pricing, routes, streamRoutes, openApi, tools: createTools(schema, routes) };
}
