/** The grants of people to apps. */
import { useChange } from './data.js';
import { Ask } from './dialogs.js';
import { html } from './html.js';
import { useList } from './list.js';
import { Lines, Link, Time } from './ui.js';

const LIST = `query Grants($all: Boolean!, $first: Int, $after: String) {
  grants(all: $all, first: $first, after: $after) {
    nodes { id appName clientId userId user { id name } scopes createdAt }
    endCursor hasNextPage
  }
}`;

const REVOKE = 'mutation RevokeGrant($id: ID!) { revokeGrant(id: $id) }';

/**
 * @param all true for the grants of all people of the organisation, false for the caller's own.
 * @param empty the text for an empty list.
 */
export function Grants({ all, empty }) {
  const list = useList(LIST, { all }, (data) => data.grants, { on: ['grant', 'app'] });
  return html`<${Lines} list=${list} of=${Line} all=${all} empty=${empty} />`;
}

function Line({ of: { id, appName, userId, user, scopes, createdAt }, all, list }) {
  const [revoke] = useChange(REVOKE, `The grant to ${appName} was revoked.`, list.afterRemoval(id));
  return html`
    <li>
      <span class="text">${appName}</span>
      ${all && html`<${Link} to="/people/${userId}">${user?.name ?? `Person ${userId}`}<//>`}
      <span class="soft text">${scopes.join(', ')}</span>
      <${Time} at=${createdAt} />
      <${Ask} label=${html`Revoke<span class="hidden"> ${appName}</span>`} title="Revoke ${appName}?" action="Revoke" run=${() => revoke({ id })}
        text="The app's tokens for this person become invalid within a second. The app can ask for consent again." />
    </li>
  `;
}
