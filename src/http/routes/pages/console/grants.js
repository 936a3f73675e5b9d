/** What people let apps do. */
import { useChange, useList } from './data.js';
import { html } from './html.js';
import { Ask, Lines, Link, Time } from './ui.js';

const LIST = `query Grants($all: Boolean!, $first: Int, $after: String) {
  grants(all: $all, first: $first, after: $after) {
    nodes { id appName clientId userId user { id name } scopes createdAt }
    endCursor hasNextPage
  }
}`;

const REVOKE = 'mutation RevokeGrant($id: ID!) { revokeGrant(id: $id) }';

/**
 * @param all those of all people of the organisation, or the caller's own.
 * @param empty what is said where there is none.
 */
export function Grants({ all, empty }) {
  const list = useList(LIST, { all }, (data) => data.grants, { on: ['grant', 'app'] });
  return html`<${Lines} list=${list} of=${Line} all=${all} empty=${empty} />`;
}

function Line({ of: { id, appName, userId, user, scopes, createdAt }, all, list }) {
  const [revoke, isRunning] = useChange(REVOKE, `${appName} can no longer act.`);
  const run = async () => {
    if (await revoke({ id })) list.drop(id);
    list.again();
  };
  return html`
    <li>
      <span class="text">${appName}</span>
      ${all && html`<${Link} to="/people/${userId}">${user?.name ?? `Person ${userId}`}<//>`}
      <span class="soft text">${scopes.join(', ')}</span>
      <${Time} at=${createdAt} />
      <${Ask} label=${html`Revoke<span class="hidden"> ${appName}</span>`} title="Revoke ${appName}?" action="Revoke" isRunning=${isRunning} run=${run}
        text="The tokens of the app for this person are void within a second. It can ask again." />
    </li>
  `;
}
