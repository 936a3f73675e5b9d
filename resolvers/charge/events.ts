import {
  decimal,
  declareEvents,
  id,
  object,
  oneOf,
  optional,
  orNull,
  text,
} from '../../src/events/declare.ts';

const scope = 'read:charges';

const amount = {
  value: decimal('The amount, in the major unit of the currency.'),
  currency: text('The ISO 4217 code of the currency.'),
};

const data = {
  amount: object(amount, 'The amount of the charge.'),
  status: oneOf(['succeeded', 'failed', 'refunded'], 'The state of the charge.'),
  order_id: orNull(id('The order that the charge pays for; null for none.')),
  failure_code: optional(
    text('Why the charge failed: the code of the payment provider. Omitted unless the charge failed.'),
  ),
  refund: optional(
    object(
      { id: id('The refund.'), amount: object(amount, 'The refunded amount.') },
      'The refund that caused the event. Omitted if there is none, or if the refund was made at the provider.',
    ),
  ),
};

export const events = declareEvents({
  'charge.succeeded': { scope, description: 'A charge succeeded.', data },
  'charge.failed': { scope, description: 'A charge failed.', data },
  'charge.partially_refunded': { scope, description: 'A charge was refunded in part.', data },
  'charge.refunded': { scope, description: 'A charge was refunded in full, or the rest of it was.', data },
});
