/** One document with its text, shares and history. */
import { History } from './activity.js';
import { may, session } from './caller.js';
import { useChange, useQuery } from './data.js';
import { Ask } from './dialogs.js';
import { html } from './html.js';
import { ObjectPage } from './object-page.js';
import { isAdministrator } from './roles.js';
import { Badge, Facts, Link, Section, Skeleton, Time } from './ui.js';

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
  const { org } = session.value;
  const variables = { org, id, feed: may('read:feed') };
  const read = useQuery(ONE, variables, { on: ['document'] });
  const document = read.data?.document;
  return html`
    <${ObjectPage} kind="Document" id=${id} title=${document?.title} back=${{ to: '/documents', label: 'Documents' }} operation=${{ document: ONE, variables }}
      read=${read} object=${document} actions=${() => isAdministrator() && may('write:docs') && html`<${Delete} org=${org} id=${id} />`}>
      ${({ body, history, ...of }) => html`
        <${Facts} of=${factsOf(of)} />
        <${Section} title="Text"><p class="document-text">${body || html`<span class="soft">Empty</span>`}</p><//>
        <${Shares} org=${org} id=${id} />
        ${history && html`<${History} of=${history.nodes} />`}`}
    <//>
  `;
}

const factsOf = ({ classification, author, version, updatedAt }) => [
  ['Classification', html`<${Badge} of=${classification} />`],
  ['Author', author && html`<${Link} to="/people/${author.id}">${author.name}<//>`],
  ['Version', version],
  ['Changed', html`<${Time} at=${updatedAt} full />`],
];

function Delete({ org, id }) {
  const [remove] = useChange(DELETE, 'The document was deleted.');
  return html`<${Ask} label="Delete" title="Delete this document?" action="Delete" run=${() => remove({ org, id })} next=${() => '/documents'}
    text="Its text and its shares are deleted. Its events stay in the log." />`;
}

function Shares({ org, id }) {
  const { data, error, again } = useQuery(SHARES, { org, id }, { on: ['document'] });
  const [unshare, isRunning] = useChange(
    UNSHARE,
    'The document is no longer shared with that person.',
    again,
  );
  const shares = data?.document?.shares;
  if (error) return null;
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
                  html`<button type="button" class="quiet" disabled=${isRunning} onClick=${() => unshare({ org, id, userId })}>Remove</button>`
                }
              </li>`,
            )}</ul>`
    }
  <//>`;
}
