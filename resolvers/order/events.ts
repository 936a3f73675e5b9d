import { ORDER_STATUSES } from '../../src/db/tables/orders.ts';
import { decimal, declareEvents, id, oneOf, text } from '../../src/events/declare.ts';

const scope = 'read:orders';

const data = {
  user_id: id('The person who placed the order.'),
  status: oneOf(ORDER_STATUSES, 'The state of the order after the change.'),
  total: decimal('The sum of all items, in the major unit of the currency.'),
  currency: text('The ISO 4217 code of the currency.'),
};

export const events = declareEvents({
  'order.created': { scope, description: 'An order was created.', data },
  'order.updated': { scope, description: 'The items of a pending order were replaced.', data },
  'order.cancelled': { scope, description: 'A pending order was cancelled.', data },
  'order.shipped': { scope, description: 'A pending order was shipped.', data },
  'order.deleted': { scope, description: 'An order was deleted.', data },
});
