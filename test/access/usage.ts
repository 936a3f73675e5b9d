/** Access to the usage of an organisation, which is for administrators. */
import { LIMITS } from '../../src/core/limits.ts';
import { alone, type GraphCall, type RouteCall, type Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.operationUses': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('{ operationUses { nodes { day door operation requests errors points } } }'),
  ],
  'Query.deprecatedUses': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('{ deprecatedUses { nodes { day name actor { name } credentials { kind id } uses } } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/operation-uses': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
  'GET /v1/deprecated-uses': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
};

export const lengths = { operation: LIMITS.usageNameLength };
