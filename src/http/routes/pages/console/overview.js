/** The first page: key figures, live activity, and the newest orders and charges. */
import { serverNow } from '../pages/session.js';
import { ActivityList, useFeed } from './activity.js';
import { may, session } from './caller.js';
import { useQuery } from './data.js';
import { count } from './format.js';
import { budget } from './graph.js';
import { html } from './html.js';
import { connection } from './live.js';
import { MarkRead, unread } from './mark-read.js';
import { NewestCharges, NewestOrders } from './newest.js';
import { Empty, Link, PageHead, Problem, Section, Skeleton } from './ui.js';

const DOCUMENT = `query Overview($charges: Boolean!, $feed: Boolean!, $usage: Boolean!) {
  me { name unreadNotifications @include(if: $feed) orders(last: 5) { id status total currency createdAt } }
  charges(first: 5) @include(if: $charges) { nodes { id status amount { value currency } createdAt } }
  operationUses(first: 100) @include(if: $usage) { nodes { day requests errors points } hasNextPage }
}`;

const Figure = ({ label, value, detail, href }) => html`
  <div class="figure">
    <dt>${href ? html`<${Link} to=${href}>${label}<//>` : label}</dt>
    <dd><strong class="number">${value ?? html`<${Skeleton} />`}</strong><span>${detail ?? html`\u00a0`}</span></dd>
  </div>
`;

/** The caller's remaining points, which every response contains. */
function Points() {
  const { maximumAvailable, currentlyAvailable, restoreRate } = budget.value ?? {};
  return html`<${Figure} label="Points left" value=${budget.value && count(Math.floor(currentlyAvailable))}
    detail=${budget.value && `of ${count(maximumAvailable)}, ${count(restoreRate)} more each second`} />`;
}

/** Returns midnight in UTC, when a day of the server begins. */
const today = () => `${new Date(serverNow()).toISOString().slice(0, 10)}T00:00:00.000Z`;

/** The organisation's usage of today, as a lower bound if there are more rows. Each row is one operation on one day, newest first. */
function Today({ uses }) {
  const rows = uses?.nodes.filter(({ day }) => day === today());
  const hasMore = uses?.hasNextPage && rows.length === uses.nodes.length;
  const sum = (name) => `${count(rows.reduce((total, row) => total + row[name], 0))}${hasMore ? '+' : ''}`;
  return html`<${Figure} label="Requests today" href="/usage" value=${rows && sum('requests')}
    detail=${rows && `${sum('errors')} with errors, for ${sum('points')} points`} />`;
}

/** Maximum number of events. */
const EVENTS = 12;

function LiveActivity({ number, again }) {
  const feed = useFeed({ size: EVENTS });
  const actions = html`<div class="actions">
    <${MarkRead} newest=${feed.rows[0]} number=${number} again=${again} /><${Link} to="/events">All<//>
  </div>`;
  return html`<${Section} title="Live activity" actions=${actions}><${ActivityList} feed=${feed} most=${EVENTS} /><//>`;
}

export function Overview() {
  const variables = { charges: may('read:charges'), feed: may('read:feed'), usage: may('read:audit') };
  const { data, error, again } = useQuery(DOCUMENT, variables, { on: ['order', 'charge'] });
  const { org } = session.value;
  if (error && !data)
    return html`<${PageHead} title="Overview" /><${Problem} error=${error} again=${again} />`;
  return html`
    <${PageHead} title="Overview" operation=${{ document: DOCUMENT, variables }} />
    <dl class="figures">
      ${variables.feed && html`<${Figure} label="Unread events" href="/events" value=${unread(data?.me.unreadNotifications)} detail="of those you may see" />`}
      ${variables.usage && html`<${Today} uses=${data?.operationUses} />`}
      <${Points} />
      <${Figure} label="Connection" value=${connection.value === 'live' ? 'Live' : 'Waiting'} detail=${`events of ${org}, as they happen`} />
    </dl>
    <div class="columns">
      <div>
        ${
          variables.feed
            ? html`<${LiveActivity} number=${data?.me.unreadNotifications} again=${again} />`
            : html`<${Empty} title="No activity"><p>Your credentials do not have the scope <code>read:feed</code>.</p><//>`
        }
      </div>
      <div>
        <${NewestOrders} title="Your newest orders" href="/orders" empty="You have placed no order yet." rows=${data?.me.orders.toReversed()} />
        ${variables.charges && html`<${NewestCharges} title="Newest charges" href="/charges" empty="No charges yet." rows=${data?.charges.nodes} />`}
      </div>
    </div>
  `;
}
