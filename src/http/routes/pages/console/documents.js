/** Documents: a list, and one document with its text, shares and history. */

import { History } from './activity.js';
import { may, session } from './caller.js';
import { useChange, useList, useQuery } from './data.js';
import { html } from './html.js';
import { filter, go, query } from './router.js';
import { Table } from './table.js';
import { Absent, Ask, Badge, Empty, Facts, Link, PageHead, Section, Select, Skeleton, Time } from './ui.js';

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
  {
    name: 'updated',
    title: 'Changed',
    of: ({ updatedAt }) => html`<${Time} at=${updatedAt} />`,
    isNumber: true,
    place: 'd',
  },
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
      <${Select} label="Classification" value=${classification} onChange=${(value) => filter({ classification: value })}
        options=${CLASSIFICATIONS} />
    </div>
    <${Table} label="Documents" columns=${COLUMNS} list=${list} href=${({ id }) => `/documents/${id}`}
      empty=${html`<${Empty} title="No documents here">
        <p>You see the documents that you may read: public and internal ones, your own, and those shared with you.
        A confidential document is only for its author, administrators, and the people it is shared with.</p><//>`} />
  `;
}

const ONE = `query Document($org: String!, $id: ID!, $feed: Boolean!) {
  document(org: $org, id: $id) {
    id title body classification version createdAt updatedAt
    author { id name }
    history(first: 20) @include(if: $feed) { nodes { id type actor { id name } createdAt } }
  }
}`;

/** A separate query: shares are refused to people who may not change the document, but the rest of the page is not. */
const SHARES = `query Shares($org: String!, $id: ID!) {
  document(org: $org, id: $id) { id shares { userId relation createdAt user { id name } } }
}`;

const DELETE = 'mutation DeleteDocument($org: String!, $id: ID!) { deleteDocument(org: $org, id: $id) }';
const UNSHARE = `mutation DeleteShare($org: String!, $id: ID!, $userId: ID!) {
  deleteShare(org: $org, documentId: $id, userId: $userId)
}`;

export function Document({ id }) {
  const { org, role } = session.value;
  const variables = { org, id, feed: may('read:feed') };
  const { data, error, again } = useQuery(ONE, variables, { on: ['document'] });
  const [remove, isRemoving] = useChange(DELETE, 'The document was deleted.');
  const back = { to: '/documents', label: 'Documents' };
  const document = data?.document;
  if (document === null || (error && !data))
    return html`<${Absent} kind="Document" id=${id} back=${back} error=${data ? undefined : error} again=${again} />`;
  const run = async () => {
    const data = await remove({ org, id });
    if (data) go('/documents');
    return data;
  };
  return html`
    <${PageHead} title=${document?.title ?? `Document ${id}`} back=${back} operation=${{ document: ONE, variables }}>
      ${role === 'admin' && may('write:docs') && document && html`<${Ask} label="Delete" title="Delete this document?" action="Delete" isRunning=${isRemoving} run=${run} text="Its text and its shares are deleted. Its events stay in the log." />`}
    <//>
    ${
      !document
        ? html`<${Skeleton} lines=${8} />`
        : html`
      <${Facts} of=${[
        ['Classification', html`<${Badge} of=${document.classification} />`],
        [
          'Author',
          document.author && html`<${Link} to="/people/${document.author.id}">${document.author.name}<//>`,
        ],
        ['Version', document.version],
        ['Changed', html`<${Time} at=${document.updatedAt} full />`],
      ]} />
      <${Section} title="Text"><p class="document-text">${document.body || html`<span class="soft">Empty</span>`}</p><//>
      <${Shares} org=${org} id=${id} />
      ${document.history && html`<${History} of=${document.history.nodes} />`}`
    }
  `;
}

function Shares({ org, id }) {
  const { data, error, again } = useQuery(SHARES, { org, id }, { on: ['document'] });
  const [unshare, isRunning] = useChange(UNSHARE, 'The document is no longer shared with that person.');
  if (error) return null;
  const shares = data?.document?.shares;
  return html`<${Section} title="Shared with">
    ${
      !shares
        ? html`<${Skeleton} lines=${2} />`
        : shares.length === 0
          ? html`<p class="soft">Not shared. A share allows one person to read or write the document, regardless of their role.</p>`
          : html`<ul class="lines">${shares.map(
              ({ userId, user, relation, createdAt }) => html`<li key=${userId}>
                <${Link} to="/people/${userId}">${user?.name ?? `Person ${userId}`}<//><${Badge} of=${relation} /><${Time} at=${createdAt} />
                ${
                  may('write:docs') &&
                  html`<button type="button" class="quiet" disabled=${isRunning} onClick=${async () => {
                    await unshare({ org, id, userId });
                    again();
                  }}>Remove</button>`
                }
              </li>`,
            )}</ul>`
    }
  <//>`;
}
