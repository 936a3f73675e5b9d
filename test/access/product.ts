/** Who may do what with products. */
import { alone, type GraphCall, type RouteCall, type Rules } from '../support/access-calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.product': ['ok | ok | ok | forbidden | ok | expired | sign in', alone('{ product(id: 1) { id } }')],
  'Query.products': ['ok | ok | ok | ok | ok | expired | sign in', alone('{ products { nodes { id } } }')],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/products': ['200 | 200 | 200 | 200 | 200 | 401 | 401', () => ({})],
  'GET /v1/products/{product_id}': [
    '200 | 200 | 200 | 403 | 200 | 401 | 401',
    () => ({ params: { product_id: 1 } }),
  ],
};
