/** Orders: the list of the organisation, and one order with its items and charges. */
import { History } from './activity.js';
import { may } from './caller.js';
import { useChange, useList, useQuery } from './data.js';
import { money } from './format.js';
import { html } from './html.js';
import { clearFilters, isFiltered, OrderFilters, orderVariables } from './order-filters.js';
import { Table } from './table.js';
import { Absent, Ask, Badge, Empty, Facts, Link, Money, PageHead, Section, Skeleton, Time } from './ui.js';

const LIST = `query Orders(
  $status: [OrderStatus!], $userId: ID, $productId: ID, $currency: String, $createdAfter: DateTime, $createdBefore: DateTime,
  $minTotal: Decimal, $maxTotal: Decimal, $sort: OrganisationOrderSort, $first: Int, $after: String
) {
  organisationOrders(
    status: $status, userId: $userId, productId: $productId, currency: $currency, createdAfter: $createdAfter,
    createdBefore: $createdBefore, minTotal: $minTotal, maxTotal: $maxTotal, sort: $sort, first: $first, after: $after
  ) {
    nodes { id status total currency createdAt user { id name } }
    endCursor hasNextPage
  }
}`;

const COLUMNS = [
  { name: 'id', title: 'Order', of: ({ id }) => `Order ${id}`, place: 'a' },
  { name: 'user', title: 'Person', of: ({ user }) => user?.name ?? '', width: '1.6fr', place: 'b' },
  { name: 'status', title: 'Status', of: ({ status }) => html`<${Badge} of=${status} />`, place: 'd' },
  {
    name: 'total',
    title: 'Total',
    of: (order) => html`<${Money} value=${order.total} currency=${order.currency} />`,
    isNumber: true,
    place: 'c',
  },
  {
    name: 'created',
    title: 'Placed',
    of: ({ createdAt }) => html`<${Time} at=${createdAt} />`,
    isNumber: true,
  },
];

export function Orders() {
  const variables = orderVariables();
  const list = useList(LIST, variables, (data) => data.organisationOrders, { on: ['order'] });
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== null));
  return html`
    <${PageHead} title="Orders" operation=${{ document: LIST, variables: { ...given, first: 20 } }} />
    <${OrderFilters} />
    <${Table} label="Orders" columns=${COLUMNS} list=${list} href=${({ id }) => `/orders/${id}`}
      empty=${isFiltered() ? html`<${NoMatch} />` : html`<${NoOrders} />`} />
  `;
}

const NoMatch = () => html`
  <${Empty} title="No order matches">
    <p>A new order appears here as soon as it matches.</p>
    <p><button type="button" onClick=${clearFilters}>Show all orders</button></p>
  <//>
`;

const NoOrders = () => html`
  <${Empty} title="No orders here">
    <p>An order appears here as soon as it is placed, through any API:</p>
    <pre tabindex="0"><code>mutation {
  createOrder(input: {userId: 1, items: [{productId: 1, qty: 2}]}) { id total }
}</code></pre>
  <//>
`;

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
  const { data, error, again } = useQuery(ONE, variables, { on: ['order', 'charge'] });
  const [update, isRunning] = useChange(UPDATE, ({ updateOrder: { status } }) => `Order ${id} is ${status}.`);
  const back = { to: '/orders', label: 'Orders' };
  const order = data?.order;
  if (order === null || (error && !data))
    return html`<${Absent} kind="Order" id=${id} back=${back} error=${data ? undefined : error} again=${again} />`;
  const change = (status) => async () => {
    const data = await update({ id, status, version: order.version });
    again();
    return data;
  };
  const isOpen = order?.status === 'pending' && may('write:orders');
  return html`
    <${PageHead} title="Order ${id}" back=${back} operation=${{ document: ONE, variables }}>
      ${
        isOpen &&
        html`
        <${Ask} label="Ship" title="Ship order ${id}?" action="Ship" isDanger=${false} isRunning=${isRunning} run=${change('shipped')} text="A shipped order can no longer be changed." />
        <${Ask} label="Cancel order" title="Cancel order ${id}?" action="Cancel order" isRunning=${isRunning} run=${change('cancelled')} text="A cancelled order can no longer be changed." />`
      }
    <//>
    ${
      !order
        ? html`<${Skeleton} lines=${8} />`
        : html`
      <${Facts} of=${[
        ['Status', html`<${Badge} of=${order.status} />`],
        ['Total', html`<${Money} value=${order.total} currency=${order.currency} />`],
        ['Paid', order.paid === undefined ? null : order.paid ? 'Yes' : 'No'],
        ['Person', order.user && html`<${Link} to="/people/${order.user.id}">${order.user.name}<//>`],
        ['Placed', html`<${Time} at=${order.createdAt} full />`],
        ['Changed', html`<${Time} at=${order.updatedAt} full />`],
      ]} />
      <${Section} title="Items">
        <ul class="items">
          ${order.items.map(
            ({ id: item, name, qty, unitPrice, thumbnailUrl }) => html`<li key=${item}>
              <img src=${new URL(thumbnailUrl).pathname} alt="" width="32" height="32" loading="lazy" />
              <span class="text">${name}</span><span class="soft number">${qty} × ${money(unitPrice, order.currency)}</span>
              <${Money} value=${qty * unitPrice} currency=${order.currency} />
            </li>`,
          )}
        </ul>
      <//>
      ${
        order.charges &&
        html`<${Section} title="Charges">
          ${
            order.charges.length === 0
              ? html`<p class="soft">This order has no charge yet. <code>createCharge(input: {orderId: ${id}, …})</code> adds one.</p>`
              : html`<ul class="lines">${order.charges.map(
                  (charge) =>
                    html`<li key=${charge.id}><${Link} to="/charges/${charge.id}">Charge ${charge.id}<//><${Badge} of=${charge.status} /><${Money} ...${charge.amount} /><${Time} at=${charge.createdAt} /></li>`,
                )}</ul>`
          }
        <//>`
      }
      ${order.history && html`<${History} of=${order.history.nodes} />`}`
    }
  `;
}
