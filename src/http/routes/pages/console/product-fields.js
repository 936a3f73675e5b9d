/** The form fields of a product, to add and to change it. */
import { Field } from './fields.js';
import { html } from './html.js';
/** Converts the values of a form to an input of `createProduct` and `updateProduct`. */
export const productInput = ({ name, price, currency }) => ({
  name,
  unitPrice: Number(price),
  currency: currency.toUpperCase(),
});

/** @param of the product to change; undefined for a new one. */
export const ProductFields = ({ of: product }) => html`
  <${Field} label="Name" name="name" required maxlength="200" autocomplete="off" value=${product?.name} />
  <${Field} label="Price" name="price" type="number" required min="0" step="any" value=${product?.unitPrice} hint="Per unit, with at most as many decimals as the currency has." />
  <${Field} label="Currency" name="currency" required minlength="3" maxlength="3" pattern="[A-Za-z]{3}" autocomplete="off" spellcheck="false" value=${product?.currency} placeholder="USD" hint="Three letters (ISO 4217)." />
`;
