/** Access to products. */
import {
  about,
  alone,
  type GraphCall,
  type ResourceFacts,
  type RouteCall,
  type Rules,
} from './shared/calls.ts';
import { type Fixtures, PRODUCT } from './shared/fixtures.ts';

const aboutOne = async (fixtures: Fixtures) => ({ params: { product_id: await fixtures.product() } });

export const graph: Rules<GraphCall> = {
  'Query.product': ['ok | ok | ok | forbidden | ok | expired | sign in', alone('{ product(id: 1) { id } }')],
  'Query.products': ['ok | ok | ok | ok | ok | expired | sign in', alone('{ products { nodes { id } } }')],
  'Mutation.createProduct': [
    'ok | ok | scope | ok | scope | expired | sign in',
    alone('mutation { createProduct(input: { name: "Plumb bob", unitPrice: 9.5, currency: "USD" }) { id } }'),
  ],
  'Mutation.updateProduct': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    about('product', 'mutation ($id: ID!) { updateProduct(id: $id, input: { unitPrice: 9 }) { id } }'),
  ],
  'Mutation.archiveProduct': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    about('product', 'mutation ($id: ID!) { archiveProduct(id: $id) { id } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/products': ['200 | 200 | 200 | 200 | 200 | 401 | 401', () => ({})],
  'GET /v1/products/{product_id}': [
    '200 | 200 | 200 | 403 | 200 | 401 | 401',
    () => ({ params: { product_id: 1 } }),
  ],
  'POST /v1/products': ['201 | 201 | 403 | 201 | 403 | 401 | 401', () => ({ body: PRODUCT })],
  'PATCH /v1/products/{product_id}': [
    '200 | 200 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ ...(await aboutOne(fixtures)), body: { unit_price: 9 } }),
  ],
  'DELETE /v1/products/{product_id}': ['204 | 204 | 403 | 403 | 403 | 401 | 401', aboutOne],
};

export const changes: ResourceFacts['changes'] = {
  'PATCH /v1/products/{product_id}': [
    { name: 'Spirit level' },
    { unit_price: 9 },
    { currency: 'JPY', unit_price: 900 },
    { archived: true },
  ],
};

export const lengths = { thumbnailUrl: 2048 };
