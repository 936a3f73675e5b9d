/** Orders: the list of the organisation, with filters. */
import { givenOf } from './filter-values.js';
import { html } from './html.js';
import { useList } from './list.js';
import { clearFilters, isFiltered, OrderFilters, orderVariables } from './order-filters.js';
import { Table, timeColumn } from './table.js';
import { Badge, Empty, Money, PageHead } from './ui.js';

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
  timeColumn('createdAt', 'Placed'),
];

export function Orders() {
  const variables = orderVariables();
  const list = useList(LIST, variables, (data) => data.organisationOrders, { on: ['order'] });
  return html`
    <${PageHead} title="Orders" operation=${{ document: LIST, variables: { ...givenOf(variables), first: 20 } }} />
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
