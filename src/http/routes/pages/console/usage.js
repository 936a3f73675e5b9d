/** Usage: the operations of the organisation by day, and the deprecated parts of the API that it still uses, with their callers. */
import { count, counted, words } from './format.js';
import { html } from './html.js';
import { useList } from './list.js';
import { Table } from './table.js';
import { Empty, Lines, Link, PageHead, Section, Time } from './ui.js';

const LIST = `query OperationUses($first: Int, $after: String) {
  operationUses(first: $first, after: $after) {
    nodes { id day door operation requests errors points }
    endCursor hasNextPage
  }
}`;

const DEPRECATED = `query DeprecatedUses($first: Int, $after: String) {
  deprecatedUses(first: $first, after: $after) {
    nodes { id name actorId actor { id name } credentials { kind id } uses lastUsedAt }
    endCursor hasNextPage
  }
}`;

/** Formats a day of the server, which is in UTC in every time zone. */
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

const DOORS = { rest: 'REST', graphql: 'GraphQL', websocket: 'WebSocket', sse: 'Event stream', mcp: 'MCP' };

/** A column of numbers. On narrow screens, which have no column headers, each number has its unit. */
const number = (name, title, place) => ({
  name,
  title,
  of: ({ [name]: value }) =>
    html`${count(value)}<span class="unit"> ${value === 1 ? name.slice(0, -1) : name}</span>`,
  isNumber: true,
  place,
});

const COLUMNS = [
  {
    name: 'operation',
    title: 'Operation',
    of: ({ operation }) => html`<span>${operation ?? html`<span class="soft">unnamed</span>`}</span>`,
    width: '2fr',
    place: 'a',
  },
  { name: 'door', title: 'API', of: ({ door }) => DOORS[door], width: '0.9fr' },
  {
    name: 'day',
    title: 'Day (UTC)',
    of: ({ day }) => html`<time datetime=${day}>${dayFormat.format(new Date(day))}</time>`,
    place: 'b',
  },
  number('requests', 'Requests', 'c'),
  number('errors', 'With errors'),
  number('points', 'Points', 'd'),
];

export function Usage() {
  const list = useList(LIST, {}, (data) => data.operationUses);
  const deprecated = useList(DEPRECATED, {}, (data) => data.deprecatedUses, { size: 20 });
  return html`
    <${PageHead} title="Usage" operation=${{ document: LIST, variables: { first: 20 } }} />
    <${Section} title="Deprecated and still used">
      <${Lines} list=${deprecated} of=${DeprecatedUse} empty="No deprecated parts of the API were used." />
    <//>
    <${Section} title="Operations">
      <${Table} label="Operations" columns=${COLUMNS} list=${list}
        empty=${html`<${Empty} title="No requests yet"><p>Each operation of your organisation has a row for each day, with its cost.</p><//>`} />
    <//>
  `;
}

const DeprecatedUse = ({ of: { name, actorId, actor, credentials, uses, lastUsedAt } }) => html`
  <li>
    <code class="text">${name}</code>
    <${Link} to="/people/${actorId}">${actor?.name ?? `Person ${actorId}`}<//>
    <span class="soft">${words(credentials.kind)}${credentials.id === null ? '' : ` ${credentials.id}`}</span>
    <span class="number">${counted(uses, 'request')}</span>
    <${Time} at=${lastUsedAt} />
  </li>
`;
