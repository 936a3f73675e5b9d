/** Events: the live log of the organisation, and one event with its data. */
import { FEED, nameOf, pageOf, subjectOf, useFeed } from './activity.js';
import { may } from './caller.js';
import { useQuery } from './data.js';
import { Select } from './fields.js';
import { html } from './html.js';
import { MarkRead, unread } from './mark-read.js';
import { ObjectPage } from './object-page.js';
import { query, setFilter } from './router.js';
import { Table, timeColumn } from './table.js';
import { Badge, Copy, Empty, Facts, Json, Link, PageHead, Section, Time } from './ui.js';

const COLUMNS = [
  { name: 'type', title: 'Type', of: ({ type }) => type, width: '1.4fr', place: 'a' },
  { name: 'subject', title: 'Subject', of: subjectOf, place: 'b' },
  { name: 'actor', title: 'Actor', of: nameOf, place: 'd' },
  timeColumn('createdAt', 'Time', 'c'),
];

const TYPE = /^[a-z_]+\.[a-z_]+$/;

/** Common event types for the filter. The URL accepts any type. */
const TYPES = [
  'order.created',
  'order.updated',
  'order.shipped',
  'order.cancelled',
  'charge.succeeded',
  'charge.failed',
  'charge.refunded',
  'document.created',
  'document.updated',
  'user.updated',
];

const UNREAD = 'query UnreadEvents { me { id unreadNotifications } }';

/** The number of unread events, of all types, and a button to mark those in the list as read. */
function Unread({ newest }) {
  const { data, again } = useQuery(UNREAD, {}, { on: ['*'] });
  const number = data?.me.unreadNotifications;
  return html`
    <span class="soft" role="status">${unread(number) && `${unread(number)} unread`}</span>
    <${MarkRead} newest=${newest} number=${number} again=${again} />
  `;
}

export function Events() {
  const chosen = query.value.get('type') ?? '';
  const type = TYPE.test(chosen) ? chosen : '';
  const types = type ? [type] : undefined;
  // The mark is for events of all types, and a list of one type does not show the others.
  const isWhole = !type;
  const list = useFeed({ types });
  const options = type && !TYPES.includes(type) ? [...TYPES, type] : TYPES;
  return html`
    <${PageHead} title="Events" operation=${{ document: FEED, variables: { first: 20, types } }}>
      ${isWhole && may('read:users') && html`<${Unread} newest=${list.rows[0]} />`}
    <//>
    <div class="filters">
      <${Select} label="Type" value=${type} onChange=${setFilter('type')} options=${[['', 'All'], ...options.map((one) => [one, one])]} />
    </div>
    <${Table} label="Events" columns=${COLUMNS} list=${list} href=${({ id }) => `/events/${id}`}
      empty=${html`<${Empty} title="No such events yet">
        <p>Every change adds an event here, in the same transaction. Feeds, streams and webhooks read the same log.</p><//>`} />
  `;
}

const ONE = `query Event($id: ID!, $deliveries: Boolean!) {
  event(id: $id) {
    id type cursor actor { id name } subjectType subjectId data createdAt
    deliveries @include(if: $deliveries) { id webhookId status createdAt }
  }
  webhooks(first: 20) @include(if: $deliveries) { nodes { id url } }
}`;

export function Event({ id }) {
  const variables = { id, deliveries: may('manage:webhooks') };
  const read = useQuery(ONE, variables);
  const event = read.data?.event;
  return html`
    <${ObjectPage} kind="Event" id=${id} title=${event?.type} back=${{ to: '/events', label: 'Events' }} operation=${{ document: ONE, variables }}
      read=${read} object=${event} absent="It is older than the retention of the log, or you may not see it.">
      ${(of) => html`
        <${Facts} of=${factsOf(of)} />
        <${Section} title="Data"><${Json} value=${of.data} /><//>
        ${of.deliveries && html`<${Section} title="Who received it"><${Receivers} of=${of.deliveries} webhooks=${read.data.webhooks.nodes} /><//>`}`}
    <//>
  `;
}

function factsOf(event) {
  const { id, actor, createdAt, cursor } = event;
  const place = pageOf(event);
  const subject = subjectOf(event);
  return [
    ['Event', id],
    ['Subject', place ? html`<${Link} to=${place}>${subject}<//>` : subject],
    ['Actor', actor ? html`<${Link} to="/people/${actor.id}">${actor.name}<//>` : 'The server'],
    ['Time', html`<${Time} at=${createdAt} full />`],
    ['Cursor', html`<${Copy} text=${cursor} what="Cursor" />`],
  ];
}

const Receivers = ({ of, webhooks }) =>
  of.length === 0
    ? html`<p class="soft">No webhook received this event. Each of your <${Link} to="/webhooks">webhooks<//> has its own event types.</p>`
    : html`<ul class="lines">${of.map(
        ({ id, webhookId, status, createdAt }) => html`<li key=${id}>
          <${Link} to="/webhooks/${webhookId}">${webhooks.find((webhook) => webhook.id === webhookId)?.url ?? `Webhook ${webhookId}`}<//><${Badge} of=${status} /><${Time} at=${createdAt} /></li>`,
      )}</ul>`;
