/** Access to the routes for messages of the payment provider. */
import { alone, type GraphCall, type RouteCall, type Rules } from './shared/calls.ts';

export const graph: Rules<GraphCall> = {
  'Mutation.recordPaymentEvent': [
    'unsigned | unsigned | unsigned | unsigned | unsigned | unsigned | unsigned',
    alone(
      'mutation { recordPaymentEvent(input: { type: "charge.succeeded", timestamp: "2026-09-01T12:00:00Z", data: {} }) { applied } }',
    ),
  ],
  'Mutation.recordStripeEvent': [
    'unsigned | unsigned | unsigned | unsigned | unsigned | unsigned | unsigned',
    alone('mutation { recordStripeEvent(event: {}) { applied } }'),
  ],
};

export const routes: Rules<RouteCall> = {
  'POST /v1/payment-events': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    (fixtures) => fixtures.paymentEvent(),
  ],
  'POST /v1/payment-events/stripe': [
    '200 | 200 | 200 | 200 | 200 | 200 | 200',
    (fixtures) => fixtures.stripeEvent(),
  ],
};

export const refusedFirst = { 'Mutation.recordPaymentEvent': 'invalid_signature' };
export const texts = { type: 'an event type of the payment provider' };
