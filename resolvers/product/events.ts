import { decimal, declareEvents, text } from '../../src/events/declare.ts';

const scope = 'read:orders';

const data = {
  name: text('The name of the product.'),
  unit_price: decimal('The price per unit, in the major unit of the currency.'),
  currency: text('The ISO 4217 code of the currency.'),
};

export const events = declareEvents({
  'product.created': { scope, description: 'A product was added.', data },
  'product.updated': { scope, description: 'The name or the price of a product was changed.', data },
  'product.archived': { scope, description: 'A product was archived and can no longer be ordered.', data },
  'product.restored': { scope, description: 'An archived product was made available again.', data },
});
