/** One product, with its price, and the forms to change and archive it. */
import { may } from './caller.js';
import { useChange, useQuery } from './data.js';
import { Ask, FormOpener } from './dialogs.js';
import { html } from './html.js';
import { ObjectPage } from './object-page.js';
import { ProductFields, productInput } from './product-fields.js';
import { Badge, Facts, Link, Money, Time } from './ui.js';

const ONE = `query Product($id: ID!) {
  product(id: $id) { id name unitPrice currency version createdAt updatedAt archivedAt }
}`;
const UPDATE = `mutation UpdateProduct($id: ID!, $input: UpdateProductInput!, $version: Int!) {
  updateProduct(id: $id, input: $input, ifVersion: [$version]) { id name }
}`;
const ARCHIVE = `mutation ArchiveProduct($id: ID!, $version: Int!) {
  archiveProduct(id: $id, ifVersion: [$version]) { id name }
}`;

export function Product({ id }) {
  const read = useQuery(ONE, { id }, { on: ['product'] });
  const product = read.data?.product;
  return html`
    <${ObjectPage} kind="Product" id=${id} title=${product?.name} back=${{ to: '/products', label: 'Products' }} operation=${{ document: ONE, variables: { id } }}
      read=${read} object=${product}
      actions=${(of) => may('write:products') && html`<${Actions} of=${of} again=${read.again} />`}>
      ${(of) => html`<${Facts} of=${factsOf(of)} />`}
    <//>
  `;
}

const factsOf = ({ id, unitPrice, currency, createdAt, updatedAt, archivedAt }) => [
  ['Number', id],
  ['Price', html`<${Money} value=${unitPrice} currency=${currency} />`],
  ['State', html`<${Badge} of=${archivedAt ? 'archived' : 'active'} />`],
  ['Orders', html`<${Link} to="/orders?product=${id}">Orders with this product<//>`],
  ['Added', html`<${Time} at=${createdAt} full />`],
  ['Changed', html`<${Time} at=${updatedAt} full />`],
  ['Archived', archivedAt && html`<${Time} at=${archivedAt} full />`],
];

function Actions({ of: product, again }) {
  const { id, name, version, archivedAt } = product;
  const isOffered = !archivedAt;
  const [update] = useChange(UPDATE, 'The product was changed.', again);
  const [archive] = useChange(ARCHIVE, 'The product was archived.', again);
  return html`
    <${FormOpener} label="Change" isOffered=${isOffered} title="Change ${name}" action="Save" submit=${(values) => update({ id, input: productInput(values), version })}
      text="Existing orders keep the name and the price that they have."><${ProductFields} of=${product} /><//>
    <${Ask} label="Archive" isOffered=${isOffered} title="Archive ${name}?" action="Archive" run=${() => archive({ id, version })}
      text="It can no longer be ordered or changed. Existing orders keep it." />
  `;
}
