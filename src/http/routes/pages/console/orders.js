/** Orders: those of a person, and one with its items and charges. */
import { History } from './activity.js';
import { may, session } from './caller.js';
import { useChange, useList, useQuery } from './data.js';
import { html } from './html.js';
import { filter, query } from './router.js';
import { Table } from './table.js';
import {
  Ask,
  Badge,
  Empty,
  Facts,
  Link,
  Money,
  PageHead,
  Problem,
  Section,
  Select,
  Skeleton,
  Time,
} from './ui.js';

const LIST = `query Orders($userId: ID!, $status: OrderStatus, $sort: OrderSort, $first: Int, $after: Int) {
  orders(userId: $userId, status: $status, sort: $sort, limit: $first, page: $after) {
    nodes { id status total currency createdAt user { id name } }
    pageInfo { nextPage }
  }
}`;

const PEOPLE = 'query People($org: String!) { members(org: $org, first: 100) { nodes { id name } } }';

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

const pick = ({ orders: { nodes, pageInfo } }) => ({
  nodes,
  endCursor: pageInfo.nextPage,
  hasNextPage: pageInfo.nextPage !== null,
});

export function Orders() {
  const { org, userId } = session.value;
  const status = query.value.get('status') ?? '';
  const sort = query.value.get('sort') ?? 'created_at_desc';
  const person = query.value.get('person') ?? String(userId);
  const variables = { userId: person, status: status || null, sort };
  const list = useList(LIST, variables, pick, { on: ['order'] });
  const people = useQuery(PEOPLE, { org }).data?.members.nodes ?? [];
  return html`
    <${PageHead} title="Orders" operation=${{ document: LIST, variables: { ...variables, first: 20 } }} />
    <div class="filters">
      <${Select} label="Person" value=${person} options=${people.map(({ id, name }) => [id, name])} onChange=${(value) => filter({ person: value })} />
      <${Select} label="Status" value=${status} onChange=${(value) => filter({ status: value })}
        options=${[['', 'All'], ['pending', 'Pending'], ['shipped', 'Shipped'], ['cancelled', 'Cancelled']]} />
      <${Select} label="Sort" value=${sort} onChange=${(value) => filter({ sort: value })}
        options=${[['created_at_desc', 'Newest'], ['created_at', 'Oldest'], ['total_desc', 'Greatest total'], ['total', 'Smallest total']]} />
    </div>
    <${Table} label="Orders" columns=${COLUMNS} list=${list} href=${({ id }) => `/orders/${id}`} empty=${html`<${NoOrders} />`} />
  `;
}

const NoOrders = () => html`
  <${Empty} title="No orders here">
    <p>An order appears as soon as it is placed, through any door:</p>
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
  if (error && !data)
    return html`<${PageHead} title="Order ${id}" back=${back} /><${Problem} error=${error} again=${again} />`;
  const order = data?.order;
  if (order === null)
    return html`<${PageHead} title="Order ${id}" back=${back} /><${Empty} title="There is no such order." />`;
  const change = (status) => async () => {
    await update({ id, status, version: order.version });
    again();
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
              <span class="text">${name}</span><span class="soft number">${qty} × ${unitPrice}</span>
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
