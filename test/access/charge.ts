/** Access to charges. */
import { LIMITS } from '../../src/core/limits.ts';
import { CHARGE } from '../support/fixtures/charges.ts';
import { about, alone, type GraphCall, type RouteCall, type Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Query.charge': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    about('charge', 'query ($id: ID!) { charge(id: $id) { id amount { value } } }'),
  ],
  'Query.charges': ['ok | ok | ok | ok | scope | expired | sign in', alone('{ charges { nodes { id } } }')],
  'Query.refund': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    async (fixtures) => ({
      document:
        'query ($chargeId: ID!, $refundId: ID!) { refund(chargeId: $chargeId, refundId: $refundId) { status } }',
      variables: await fixtures.refund(),
    }),
  ],
  'Query.refunds': [
    'ok | ok | ok | forbidden | scope | expired | sign in',
    about('charge', 'query ($id: ID!) { refunds(chargeId: $id) { nodes { id } } }'),
  ],
  'Mutation.createCharge': [
    'ok | ok | scope | ok | scope | expired | sign in',
    (fixtures) => ({
      document:
        'mutation ($input: CreateChargeInput!, $key: String) { createCharge(input: $input, idempotencyKey: $key) { id } }',
      variables: { input: CHARGE, key: fixtures.key() },
    }),
  ],
  'Mutation.refundCharge': [
    'ok | ok | scope | forbidden | scope | expired | sign in',
    about('charge', 'mutation ($id: ID!) { refundCharge(id: $id) { status } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'POST /v1/charges': [
    '201 | 201 | 403 | 201 | 403 | 401 | 401',
    () => ({ body: { amount: 1999, source: 'tok_visa' } }),
  ],
  'GET /v1/charges/{charge_id}': [
    '200 | 200 | 200 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { charge_id: await fixtures.charge() } }),
  ],
  'POST /v2/charges': [
    '201 | 201 | 403 | 201 | 403 | 401 | 401',
    (fixtures) => ({ body: CHARGE, headers: { 'idempotency-key': fixtures.key() } }),
  ],
  'GET /v2/charges': ['200 | 200 | 200 | 200 | 403 | 401 | 401', () => ({})],
  'GET /v2/charges/{charge_id}': [
    '200 | 200 | 200 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { charge_id: await fixtures.charge() } }),
  ],
  'GET /v2/charges/{charge_id}/refunds': [
    '200 | 200 | 200 | 403 | 403 | 401 | 401',
    async (fixtures) => ({ params: { charge_id: await fixtures.charge() } }),
  ],
  'GET /v2/charges/{charge_id}/refunds/{refund_id}': [
    '200 | 200 | 200 | 403 | 403 | 401 | 401',
    async (fixtures) => {
      const { chargeId, refundId } = await fixtures.refund();
      return { params: { charge_id: chargeId, refund_id: refundId } };
    },
  ],
  'POST /v2/charges/{charge_id}/refunds': [
    '201 | 201 | 403 | 403 | 403 | 401 | 401',
    async (fixtures) => ({
      params: { charge_id: await fixtures.charge() },
    }),
  ],
};

export const texts = { currency: 'an ISO 4217 code', source: 'a token of the payment gateway' };
export const lengths = { currency: 3, failureCode: 100, key: LIMITS.idempotencyKeyLength, mutation: 100 };
export const columns = { currency: 'USD' };
