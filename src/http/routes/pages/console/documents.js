/** Documents: the list of those that the person may read. */
import { session } from './caller.js';
import { Select } from './fields.js';
import { html } from './html.js';
import { useList } from './list.js';
import { query, setFilter } from './router.js';
import { Table, timeColumn } from './table.js';
import { Badge, Empty, PageHead } from './ui.js';

const LIST = `query Documents($org: String!, $classification: Classification, $first: Int, $after: String) {
  documents(org: $org, classification: $classification, first: $first, after: $after) {
    nodes { id title classification updatedAt author { id name } }
    endCursor hasNextPage
  }
}`;

const COLUMNS = [
  { name: 'title', title: 'Title', of: ({ title }) => title, width: '2.4fr', place: 'a' },
  { name: 'author', title: 'Author', of: ({ author }) => author?.name ?? '', width: '1.2fr', place: 'b' },
  {
    name: 'classification',
    title: 'Classification',
    of: ({ classification }) => html`<${Badge} of=${classification} />`,
    place: 'c',
  },
  timeColumn('updatedAt', 'Changed', 'd'),
];

const CLASSIFICATIONS = [
  ['', 'All'],
  ['public', 'Public'],
  ['internal', 'Internal'],
  ['confidential', 'Confidential'],
];

export function Documents() {
  const chosen = query.value.get('classification');
  const classification = CLASSIFICATIONS.some(([name]) => name === chosen) ? chosen : '';
  const variables = { org: session.value.org, classification: classification || null };
  const list = useList(LIST, variables, (data) => data.documents, { on: ['document'] });
  return html`
    <${PageHead} title="Documents" operation=${{ document: LIST, variables: { ...variables, first: 20 } }} />
    <div class="filters">
      <${Select} label="Classification" value=${classification} onChange=${setFilter('classification')}
        options=${CLASSIFICATIONS} />
    </div>
    <${Table} label="Documents" columns=${COLUMNS} list=${list} href=${({ id }) => `/documents/${id}`}
      empty=${html`<${Empty} title="No documents here">
        <p>You see the documents that you may read: public and internal ones, your own, and those shared with you.
        A confidential document is only for its author, administrators, and the people it is shared with.</p><//>`} />
  `;
}
