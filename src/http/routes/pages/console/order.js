/** One order with its items and charges, and the actions to ship and to cancel it. */
import { History } from './activity.js';
import { may } from './caller.js';
import { useChange, useQuery } from './data.js';
import { Ask } from './dialogs.js';
import { money } from './format.js';
import { html } from './html.js';
import { NewestCharges } from './newest.js';
import { ObjectPage } from './object-page.js';
import { Badge, Facts, Link, Money, Section, Time } from './ui.js';

const ONE = `query Order($id: ID!, $charges: Boolean!, $feed: Boolean!) {
  order(id: $id) {
    id status total currency version createdAt updatedAt
    user { id name email }
    items { id name qty unitPrice productId thumbnailUrl }
    paid @include(if: $charges)
    history(first: 20) @include(if: $feed) { nodes { id type actor { id name } createdAt } }
    charges(first: 20) @include(if: $charges) { id status amount { value currency } createdAt }
  }
}`;

const UPDATE = `mutation UpdateOrder($id: ID!, $status: OrderStatus!, $version: Int!) {
  updateOrder(id: $id, input: { status: $status }, ifVersion: [$version]) { id status version }
}`;

export function Order({ id }) {
  const variables = { id, charges: may('read:charges'), feed: may('read:feed') };
  const read = useQuery(ONE, variables, { on: ['order', 'charge'] });
  return html`
    <${ObjectPage} kind="Order" id=${id} back=${{ to: '/orders', label: 'Orders' }} operation=${{ document: ONE, variables }}
      read=${read} object=${read.data?.order}
      actions=${(order) => may('write:orders') && html`<${Actions} of=${order} again=${read.again} />`}>
      ${(order) => html`
        <${Facts} of=${factsOf(order)} />
        <${Items} of=${order} />
        ${order.charges && html`<${NewestCharges} title="Charges" rows=${order.charges} empty=${html`<${NoCharge} id=${id} />`} />`}
        ${order.history && html`<${History} of=${order.history.nodes} />`}`}
    <//>
  `;
}

const factsOf = ({ status, total, currency, paid, user, createdAt, updatedAt }) => [
  ['Status', html`<${Badge} of=${status} />`],
  ['Total', html`<${Money} value=${total} currency=${currency} />`],
  ['Paid', paid === undefined ? null : paid ? 'Yes' : 'No'],
  ['Person', user && html`<${Link} to="/people/${user.id}">${user.name}<//>`],
  ['Placed', html`<${Time} at=${createdAt} full />`],
  ['Changed', html`<${Time} at=${updatedAt} full />`],
];

function Actions({ of: { id, status: present, version }, again }) {
  const isOffered = present === 'pending';
  const [update] = useChange(UPDATE, ({ updateOrder: { status } }) => `Order ${id} is ${status}.`, again);
  const change = (status) => () => update({ id, status, version });
  return html`
    <${Ask} label="Ship" isOffered=${isOffered} title="Ship order ${id}?" action="Ship" isDanger=${false} run=${change('shipped')} text="A shipped order can no longer be changed." />
    <${Ask} label="Cancel order" isOffered=${isOffered} title="Cancel order ${id}?" action="Cancel order" run=${change('cancelled')} text="A cancelled order can no longer be changed." />
  `;
}

const Items = ({ of: { items, currency } }) => html`
  <${Section} title="Items">
    <ul class="items">
      ${items.map(
        ({ id, name, qty, unitPrice, thumbnailUrl }) => html`<li key=${id}>
          <img src=${new URL(thumbnailUrl).pathname} alt="" width="32" height="32" loading="lazy" />
          <span class="text">${name}</span><span class="soft number">${qty} × ${money(unitPrice, currency)}</span>
          <${Money} value=${qty * unitPrice} currency=${currency} />
        </li>`,
      )}
    </ul>
  <//>
`;

const NoCharge = ({ id }) =>
  html`This order has no charge yet. <code>createCharge(input: {orderId: ${id}, …})</code> adds one.`;
