/** Access to the audit log, which is for administrators. */
import { alone, type GraphCall, type RouteCall, type Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.auditLog': [
    'ok | role | role | ok | scope | expired | sign in',
    alone('{ auditLog(first: 3) { nodes { id type address credentials { kind id } } } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'GET /v1/audit-log': ['200 | 403 | 403 | 200 | 403 | 401 | 401', () => ({})],
};

export const lengths = { address: 64 };
