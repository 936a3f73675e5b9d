/** The common parts of API keys and certificates: credentials for machines, which act for the person who created them. */
import { serverNow } from '../pages/session.js';
import { ScopeFields, scopesIn } from './app-fields.js';
import { useChange } from './data.js';
import { Ask } from './dialogs.js';
import { Field, LAST_DAY } from './fields.js';
import { html } from './html.js';
import { timeColumn } from './table.js';
import { Badge } from './ui.js';

/** The members that both have, for the columns. */
export const SHOWN = 'id name scopes createdAt expiresAt lastUsedAt revokedAt owner { id name }';

const isExpired = ({ expiresAt }) => expiresAt !== null && new Date(expiresAt) < serverNow();
const stateOf = (row) => (row.revokedAt ? 'revoked' : isExpired(row) ? 'expired' : 'active');

/**
 * Returns the columns of a table of credentials.
 *
 * @param mark the column that identifies a credential.
 * @param revocation `mutation`, which takes the id, and `effect`, a sentence about the consequence.
 */
export const columnsOf = (list, mark, revocation) => [
  { name: 'name', title: 'Name', of: ({ name }) => html`<span>${name}</span>`, width: '1.5fr', place: 'a' },
  { ...mark, place: 'b' },
  { name: 'owner', title: 'Acts for', of: ({ owner }) => owner?.name ?? '', width: '1.2fr' },
  {
    name: 'scopes',
    title: 'Scopes',
    of: ({ scopes }) =>
      html`<span title=${scopes.join(', ')}>${scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}</span>`,
  },
  { name: 'state', title: 'State', of: (row) => html`<${Badge} of=${stateOf(row)} />`, place: 'd' },
  timeColumn('lastUsedAt', 'Last used'),
  {
    name: 'revoke',
    title: html`<span class="hidden">Actions</span>`,
    of: (row) => !row.revokedAt && html`<${Revoke} key=${row.id} of=${row} list=${list} ...${revocation} />`,
    isNumber: true,
    place: 'c',
  },
];

function Revoke({ of: { id, name }, list, mutation, effect }) {
  const [revoke] = useChange(mutation, `${name} was revoked.`, list.again);
  return html`<${Ask} label=${html`Revoke<span class="hidden"> ${name}</span>`} title="Revoke ${name}?" action="Revoke" run=${() => revoke({ id })} text="${effect} It cannot be undone." />`;
}

/** @param children fields between the name and the scopes. */
export const CredentialFields = ({ children }) => html`
  <${Field} label="Name" name="name" required maxlength="100" placeholder="ci" />
  ${children}
  <${ScopeFields} legend="Scopes" />
  <${Field} label="Expires" name="expiresAt" type="datetime-local" max="${LAST_DAY}T23:59" hint="Leave it empty for no expiry." />
`;

/** Converts the values of these fields to an input. */
export const credentialInput = ({ name, expiresAt, ...values }) => ({
  name,
  scopes: scopesIn(values),
  expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null,
});
