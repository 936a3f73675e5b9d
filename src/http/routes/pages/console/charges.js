/** Charges: a list, and one charge with its timeline and its idempotency records. */
import { may } from './caller.js';
import { useList, useQuery } from './data.js';
import { sentence } from './format.js';
import { html } from './html.js';
import { isRefundable, Refund, Refunds } from './refund.js';
import { Table } from './table.js';
import { Absent, Badge, Empty, Facts, Link, Money, PageHead, Section, Skeleton, Time } from './ui.js';

const LIST = `query Charges($first: Int, $after: String) {
  charges(first: $first, after: $after) {
    nodes { id status amount { value currency } amountRefunded { value } source orderId createdAt }
    endCursor hasNextPage
  }
}`;

/** Returns the status of a charge, or that it was partially refunded. */
const stateOf = ({ status, amountRefunded }) =>
  status === 'succeeded' && amountRefunded.value > 0 ? 'partially_refunded' : status;

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
  {
    name: 'created',
    title: 'Created',
    of: ({ createdAt }) => html`<${Time} at=${createdAt} />`,
    isNumber: true,
  },
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

const ONE = `query Charge($id: ID!, $orders: Boolean!, $feed: Boolean!) {
  charge(id: $id) {
    id status amount { value currency } amountRefunded { value currency } source failureCode orderId userId creator { name } version createdAt updatedAt
    order @include(if: $orders) { id status total currency }
    refunds(first: 100) { id status amount { value currency } createdAt }
    idempotency { mutation key status attempts createdAt }
    history(first: 50) @include(if: $feed) { nodes { id type actor { id name } data createdAt } }
  }
}`;

export function Charge({ id }) {
  const variables = { id, orders: may('read:orders'), feed: may('read:feed') };
  const { data, error, again } = useQuery(ONE, variables, { on: ['charge'] });
  const back = { to: '/charges', label: 'Charges' };
  const charge = data?.charge;
  if (charge === null || (error && !data))
    return html`<${Absent} kind="Charge" id=${id} back=${back} error=${data ? undefined : error} again=${again} />`;
  return html`
    <${PageHead} title="Charge ${id}" back=${back} operation=${{ document: ONE, variables }}>
      ${isRefundable(charge) && may('write:charges') && html`<${Refund} of=${charge} again=${again} />`}
    <//>
    ${
      !charge
        ? html`<${Skeleton} lines=${8} />`
        : html`
      <${Facts} of=${[
        ['Status', html`<${Badge} of=${stateOf(charge)} />`],
        ['Amount', html`<${Money} ...${charge.amount} />`],
        ['Refunded', charge.amountRefunded.value > 0 ? html`<${Money} ...${charge.amountRefunded} />` : null],
        ['Source', html`<code>${charge.source}</code>`],
        ['Failure', charge.failureCode && html`<code>${charge.failureCode}</code>`],
        [
          'Order',
          charge.orderId && html`<${Link} to="/orders/${charge.orderId}">Order ${charge.orderId}<//>`,
        ],
        [
          'Person',
          html`<${Link} to="/people/${charge.userId}">${charge.creator?.name ?? `Person ${charge.userId}`}<//>`,
        ],
        ['Created', html`<${Time} at=${charge.createdAt} full />`],
        ['Changed', html`<${Time} at=${charge.updatedAt} full />`],
      ]} />
      <${Refunds} of=${charge} />
      <${Section} title="Timeline"><${Timeline} of=${charge} /><//>`
    }
  `;
}

/** The history of a charge, in order of time: its requests and its events. */
function Timeline({ of: { idempotency, history, createdAt, failureCode } }) {
  const requests = idempotency.map(({ mutation, key, status, attempts, createdAt: at }) => ({
    at,
    title: `${mutation} was requested`,
    detail: html`<p>Idempotency key <code>${key}</code></p>
      <p class="soft">${status === 'done' ? 'The request has an outcome: a retry with this key gets the same response.' : 'The request has no outcome yet: a retry with this key continues it.'}
        ${attempts > 1 && ` ${attempts} requests worked on it.`}</p>`,
  }));
  const events = (history?.nodes ?? []).map(({ id, type, actor, createdAt: at }) => ({
    at,
    title: sentence(type),
    detail: html`<p class="soft">${actor?.name ?? 'The server'}, <${Link} to="/events/${id}">event ${id}<//>${type === 'charge.failed' && failureCode && html`: <code>${failureCode}</code>`}</p>`,
  }));
  const all = [...requests, ...events].sort((one, other) => one.at.localeCompare(other.at));
  return html`
    <ol class="timeline">
      ${all.length === 0 && html`<li><p><strong>Created</strong><${Time} at=${createdAt} full /></p></li>`}
      ${all.map(({ at, title, detail }) => html`<li key=${title + at}><p><strong>${title}</strong><${Time} at=${at} full /></p>${detail}</li>`)}
    </ol>
    ${idempotency.length === 0 && html`<p class="hint">The idempotency record has expired. Records are kept for 24 hours after the outcome.</p>`}
  `;
}
