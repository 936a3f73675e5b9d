/** One charge with its refunds, its events and its idempotency records. */
import { may } from './caller.js';
import { useQuery } from './data.js';
import { sentence } from './format.js';
import { html } from './html.js';
import { ObjectPage } from './object-page.js';
import { Refund, Refunds } from './refund.js';
import { Badge, Facts, Link, Money, Section, Time } from './ui.js';

const ONE = `query Charge($id: ID!, $orders: Boolean!, $feed: Boolean!) {
  charge(id: $id) {
    id status amount { value currency } amountRefunded { value currency } source failureCode orderId userId creator { name } version createdAt updatedAt
    order @include(if: $orders) { id status total currency }
    refunds(first: 100) { id status amount { value currency } createdAt }
    idempotency { mutation key status attempts createdAt }
    history(first: 50) @include(if: $feed) { nodes { id type actor { id name } data createdAt } }
  }
}`;

/** Returns the status of a charge, or that it was partially refunded. */
export const stateOf = ({ status, amountRefunded }) =>
  status === 'succeeded' && amountRefunded.value > 0 ? 'partially_refunded' : status;

export function Charge({ id }) {
  const variables = { id, orders: may('read:orders'), feed: may('read:feed') };
  const read = useQuery(ONE, variables, { on: ['charge'] });
  return html`
    <${ObjectPage} kind="Charge" id=${id} back=${{ to: '/charges', label: 'Charges' }} operation=${{ document: ONE, variables }}
      read=${read} object=${read.data?.charge}
      actions=${(charge) => may('write:charges') && html`<${Refund} of=${charge} again=${read.again} />`}>
      ${(charge) => html`
        <${Facts} of=${factsOf(charge)} />
        <${Refunds} of=${charge} />
        <${Section} title="Timeline"><${Timeline} of=${charge} /><//>`}
    <//>
  `;
}

const factsOf = (charge) => [
  ['Status', html`<${Badge} of=${stateOf(charge)} />`],
  ['Amount', html`<${Money} ...${charge.amount} />`],
  ['Refunded', charge.amountRefunded.value > 0 ? html`<${Money} ...${charge.amountRefunded} />` : null],
  ['Source', html`<code>${charge.source}</code>`],
  ['Failure', charge.failureCode && html`<code>${charge.failureCode}</code>`],
  ['Order', charge.orderId && html`<${Link} to="/orders/${charge.orderId}">Order ${charge.orderId}<//>`],
  [
    'Person',
    html`<${Link} to="/people/${charge.userId}">${charge.creator?.name ?? `Person ${charge.userId}`}<//>`,
  ],
  ['Created', html`<${Time} at=${charge.createdAt} full />`],
  ['Changed', html`<${Time} at=${charge.updatedAt} full />`],
];

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
