/**
 * Access to an object by its `nodeId`: the same as through the field of its type, with which
 * `test/scenarios/nodes.test.ts` compares it.
 */
import { nodeIdOf } from '../../src/graphql/nodes.ts';
import type { GraphCall, Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.node': [
    'ok | ok | ok | forbidden | ok | expired | sign in',
    () => ({
      document: 'query ($id: ID!) { node(id: $id) { id nodeId ... on Order { status } } }',
      variables: { id: nodeIdOf('Order', 1) },
    }),
  ],
};
