/** The audit log: who did what, with which credentials and from where. */
import { pageOf, subjectOf } from './activity.js';
import { AuditFilters, auditVariables, clearFilters, isFiltered } from './audit-filters.js';
import { may } from './caller.js';
import { Dialog } from './dialogs.js';
import { givenOf } from './filter-values.js';
import { count, sentence } from './format.js';
import { html } from './html.js';
import { useList } from './list.js';
import { filter, query } from './router.js';
import { Table, timeColumn } from './table.js';
import { Empty, Facts, Json, Link, PageHead, Time } from './ui.js';

const LIST = `query AuditLog(
  $types: [String!], $actorId: ID, $createdAfter: DateTime, $createdBefore: DateTime, $first: Int, $after: String
) {
  auditLog(
    types: $types, actorId: $actorId, createdAfter: $createdAfter, createdBefore: $createdBefore, first: $first, after: $after
  ) {
    nodes {
      id type eventId actorId actor { name } credentials { kind id } address subjectType subjectId data occurrences createdAt
    }
    endCursor hasNextPage
  }
}`;

/** Returns the name of the actor. Without one, an address is that of a client whose person is not known, and the server has none. */
function actorOf({ actorId, actor, credentials, address }) {
  if (actorId !== null) return actor?.name ?? `Person ${actorId}`;
  if (credentials?.kind === 'operator') return 'An operator';
  return address === null ? 'The server' : 'Not known';
}

const credentialsOf = ({ credentials }) =>
  credentials ? `${sentence(credentials.kind)} ${credentials.id ?? ''}`.trim() : null;

const none = html`<span class="soft">none</span>`;

const COLUMNS = [
  { name: 'type', title: 'Type', of: ({ type }) => type, width: '1.7fr', place: 'a' },
  { name: 'actor', title: 'Actor', of: actorOf, width: '1.2fr', place: 'b' },
  { name: 'credentials', title: 'Credentials', of: (entry) => credentialsOf(entry) ?? none },
  { name: 'address', title: 'Address', of: ({ address }) => address ?? none, place: 'd' },
  { name: 'subject', title: 'Subject', of: subjectOf },
  timeColumn('createdAt', 'Time', 'c'),
];

/** Returns the page with an entry opened, and the same filters. There is no query for one entry, so it is one of the list. */
function placeOf({ id }) {
  const opened = new URLSearchParams(query.value);
  opened.set('entry', id);
  return `/audit-log?${opened}`;
}

export function AuditLog() {
  const variables = auditVariables();
  const list = useList(LIST, variables, (data) => data.auditLog, { on: ['*'] });
  const opened = list.rows.find(({ id }) => id === query.value.get('entry'));
  return html`
    <${PageHead} title="Audit log" operation=${{ document: LIST, variables: { ...givenOf(variables), first: 20 } }} />
    <${AuditFilters} />
    <${Table} label="Audit log" columns=${COLUMNS} list=${list} href=${placeOf}
      empty=${isFiltered() ? html`<${NoMatch} />` : html`<${Empty} title="No entries yet"><p>Every change and every sign-in adds an entry.</p><//>`} />
    ${opened && html`<${Entry} key=${opened.id} of=${opened} />`}
  `;
}

const NoMatch = () => html`
  <${Empty} title="No entry matches">
    <p><button type="button" onClick=${clearFilters}>Show all entries</button></p>
  <//>
`;

function Entry({ of: entry }) {
  const { type, eventId, actorId, address, data, occurrences, createdAt } = entry;
  const place = pageOf(entry);
  const actor = actorOf(entry);
  const close = () => filter({ entry: '' });
  return html`
    <${Dialog} title=${type} onClose=${close}>
      <${Facts} of=${[
        [occurrences > 1 ? 'First time' : 'Time', html`<${Time} at=${createdAt} full />`],
        ['Occurrences', occurrences > 1 ? count(occurrences) : null],
        ['Actor', actorId === null ? actor : html`<${Link} to="/people/${actorId}">${actor}<//>`],
        ['Credentials', credentialsOf(entry)],
        ['Address', address],
        ['Subject', place ? html`<${Link} to=${place}>${subjectOf(entry)}<//>` : subjectOf(entry)],
        [
          'Event',
          eventId !== null && may('read:feed')
            ? html`<${Link} to="/events/${eventId}">Event ${eventId}<//>`
            : null,
        ],
      ]} />
      <${Json} value=${data} />
      <div class="buttons"><button type="button" onClick=${close}>Close</button></div>
    <//>
  `;
}
