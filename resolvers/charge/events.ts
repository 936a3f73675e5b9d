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
};

export const events = declareEvents({
  'charge.succeeded': { scope, description: 'A charge succeeded.', data },
  'charge.failed': { scope, description: 'A charge failed.', data },
  'charge.refunded': { scope, description: 'A charge was refunded.', data },
});
