/** One product, with its price, and the forms to change and archive it. */
import { useState } from 'preact/hooks';
import { may } from './caller.js';
import { useChange, useQuery } from './data.js';
import { html } from './html.js';
import { ProductFields, productInput } from './product-fields.js';
import {
  Absent,
  Ask,
  Badge,
  Facts,
  FormDialog,
  Link,
  Money,
  Opener,
  PageHead,
  Skeleton,
  Time,
} from './ui.js';

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
  const { data, error, again } = useQuery(ONE, { id }, { on: ['product'] });
  /** The product as it was when the form was opened: the form replaces no later change. */
  const [edited, setEdited] = useState();
  const [update, isUpdating] = useChange(UPDATE, 'The product was changed.');
  const [archive, isArchiving] = useChange(ARCHIVE, 'The product was archived.');
  const back = { to: '/products', label: 'Products' };
  const product = data?.product;
  if (product === null || (error && !data))
    return html`<${Absent} kind="Product" id=${id} back=${back} error=${data ? undefined : error} again=${again} />`;
  const run = async (change, { version }, input) => {
    const result = await change({ id, input, version });
    again();
    return Boolean(result);
  };
  const isOpen = product && !product.archivedAt && may('write:products');
  return html`
    <${PageHead} title=${product?.name ?? `Product ${id}`} back=${back} operation=${{ document: ONE, variables: { id } }}>
      ${
        isOpen &&
        html`<${Opener} onClick=${() => setEdited(product)}>Change<//>
        <${Ask} label="Archive" title="Archive ${product.name}?" action="Archive" isRunning=${isArchiving} run=${() => run(archive, product)}
          text="It can no longer be ordered or changed. Existing orders keep it." />`
      }
    <//>
    ${
      !product
        ? html`<${Skeleton} lines=${5} />`
        : html`<${Facts} of=${[
            ['Number', product.id],
            ['Price', html`<${Money} value=${product.unitPrice} currency=${product.currency} />`],
            ['State', html`<${Badge} of=${product.archivedAt ? 'archived' : 'active'} />`],
            ['Orders', html`<${Link} to="/orders?product=${id}">Orders with this product<//>`],
            ['Added', html`<${Time} at=${product.createdAt} full />`],
            ['Changed', html`<${Time} at=${product.updatedAt} full />`],
            ['Archived', product.archivedAt && html`<${Time} at=${product.archivedAt} full />`],
          ]} />`
    }
    ${
      edited &&
      html`<${FormDialog} title="Change ${edited.name}" action="Save" submit=${(values) => run(update, edited, productInput(values))} isRunning=${isUpdating} onClose=${() => setEdited()}>
        <${ProductFields} of=${edited} />
        <p class="hint">Existing orders keep the name and the price that they have.</p><//>`
    }
  `;
}
