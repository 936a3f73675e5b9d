/** Charges: the list of the organisation. */
import { stateOf } from './charge.js';
import { html } from './html.js';
import { useList } from './list.js';
import { Table, timeColumn } from './table.js';
import { Badge, Empty, Link, Money, PageHead } from './ui.js';

const LIST = `query Charges($first: Int, $after: String) {
  charges(first: $first, after: $after) {
    nodes { id status amount { value currency } amountRefunded { value } source orderId createdAt }
    endCursor hasNextPage
  }
}`;

const COLUMNS = [
  { name: 'id', title: 'Charge', of: ({ id }) => `Charge ${id}`, place: 'a' },
  { name: 'source', title: 'Source', of: ({ source }) => source, place: 'b' },
  { name: 'status', title: 'Status', of: (charge) => html`<${Badge} of=${stateOf(charge)} />`, place: 'd' },
  {
    name: 'order',
    title: 'Order',
    of: ({ orderId }) =>
      orderId
        ? html`<${Link} to="/orders/${orderId}">Order ${orderId}<//>`
        : html`<span class="soft">none</span>`,
  },
  {
    name: 'amount',
    title: 'Amount',
    of: ({ amount }) => html`<${Money} ...${amount} />`,
    isNumber: true,
    place: 'c',
  },
  timeColumn('createdAt', 'Created'),
];

export function Charges() {
  const list = useList(LIST, {}, (data) => data.charges, { on: ['charge'] });
  return html`
    <${PageHead} title="Charges" operation=${{ document: LIST, variables: { first: 20 } }} />
    <${Table} label="Charges" columns=${COLUMNS} list=${list} href=${({ id }) => `/charges/${id}`}
      empty=${html`<${Empty} title="No charges yet">
        <p>A charge takes money from a source. In the sandbox <code>tok_visa</code> succeeds and <code>tok_declined</code> fails:</p>
        <pre tabindex="0"><code>mutation {
  createCharge(
    input: {amount: {value: 19.99, currency: "USD"}, source: "tok_visa"}
    idempotencyKey: "my-first-charge"
  ) { id status }
}</code></pre><//>`} />
  `;
}
