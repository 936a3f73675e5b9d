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
  value: decimal('The amount, in the usual unit of the currency.'),
  currency: text('The ISO 4217 code of the currency.'),
};

const data = {
  amount: object(amount, 'What was charged.'),
  status: oneOf(['succeeded', 'failed', 'refunded'], 'The state of the charge.'),
  order_id: orNull(id('The order that the charge pays for, null for none.')),
  failure_code: optional(
    text('Why the charge failed, in the words of the payment provider; left out otherwise.'),
  ),
  refund: optional(
    object(
      { id: id('The refund.'), amount: object(amount, 'What was given back.') },
      'The refund by which the charge came there; left out where there is none, and for one that was made with the provider.',
    ),
  ),
};

export const events = declareEvents({
  'charge.succeeded': { scope, description: 'A charge succeeded.', data },
  'charge.failed': { scope, description: 'A charge failed.', data },
  'charge.partially_refunded': {
    scope,
    description: 'A part of a charge was refunded, and another part is left.',
    data,
  },
  'charge.refunded': { scope, description: 'A charge was refunded, or what was left of it.', data },
});
