/** API keys: credentials of machines, each shown once. */
import { useState } from 'preact/hooks';
import { session } from './caller.js';
import { useChange, useList } from './data.js';
import { html } from './html.js';
import { Table } from './table.js';
import { Ask, Badge, Empty, Field, FormDialog, PageHead, Time } from './ui.js';
import { Secret } from './webhooks.js';

const LIST = `query ApiKeys($first: Int, $after: String) {
  apiKeys(first: $first, after: $after) {
    nodes { id name prefix scopes createdAt expiresAt lastUsedAt revokedAt owner { id name } }
    endCursor hasNextPage
  }
}`;

const CREATE =
  'mutation CreateApiKey($input: CreateApiKeyInput!) { createApiKey(input: $input) { id name key } }';
const REVOKE = 'mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) }';

const isExpired = ({ expiresAt }) => expiresAt !== null && new Date(expiresAt) < new Date();
const stateOf = (key) => (key.revokedAt ? 'revoked' : isExpired(key) ? 'expired' : 'active');

function Revoke({ of, list }) {
  const [revoke, isRunning] = useChange(REVOKE, `The key ${of.name} was revoked.`);
  const run = async () => {
    await revoke({ id: of.id });
    list.again();
  };
  return html`<${Ask} label=${html`Revoke<span class="hidden"> ${of.name}</span>`} title="Revoke ${of.name}?" action="Revoke" isRunning=${isRunning} run=${run} text="What uses this key is refused at once. It cannot be undone." />`;
}

const columnsOf = (list) => [
  { name: 'name', title: 'Name', of: ({ name }) => html`<span>${name}</span>`, width: '1.6fr', place: 'a' },
  { name: 'prefix', title: 'Key', of: ({ prefix }) => html`<code>${prefix}…</code>`, place: 'b' },
  { name: 'owner', title: 'Acts for', of: ({ owner }) => owner?.name ?? '', width: '1.2fr' },
  {
    name: 'scopes',
    title: 'Scopes',
    of: ({ scopes }) =>
      html`<span title=${scopes.join(', ')}>${scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}</span>`,
  },
  { name: 'state', title: 'State', of: (key) => html`<${Badge} of=${stateOf(key)} />`, place: 'd' },
  {
    name: 'used',
    title: 'Last used',
    of: ({ lastUsedAt }) => html`<${Time} at=${lastUsedAt} />`,
    isNumber: true,
  },
  {
    name: 'revoke',
    title: html`<span class="hidden">Actions</span>`,
    of: (key) => !key.revokedAt && html`<${Revoke} of=${key} list=${list} />`,
    isNumber: true,
    place: 'c',
  },
];

export function ApiKeys() {
  const list = useList(LIST, {}, (data) => data.apiKeys, { on: ['api_key'] });
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState();
  const [create, isRunning] = useChange(CREATE, 'The key was created.');
  const add = async ({ name, expires, ...scopes }) => {
    const data = await create({
      input: {
        name,
        scopes: Object.keys(scopes),
        expiresAt: expires ? new Date(expires).toISOString() : null,
      },
    });
    if (!data) return false;
    setMade(data.createApiKey);
    list.again();
    return true;
  };
  return html`
    <${PageHead} title="API keys" operation=${{ document: LIST, variables: { first: 20 } }}>
      <button type="button" class="primary" onClick=${() => setAdding(true)}>Create key</button>
    <//>
    <${Table} label="API keys" columns=${columnsOf(list)} list=${list}
      empty=${html`<${Empty} title="No key yet">
        <p>A key is for a machine. It acts for the person who created it, with the scopes that you choose, and never with more than that person may do:</p>
        <pre tabindex="0"><code>Authorization: ApiKey pk_…</code></pre><//>`} />
    ${
      isAdding &&
      html`<${FormDialog} title="Create an API key" action="Create" submit=${add} isRunning=${isRunning} onClose=${() => setAdding(false)}>
        <${Field} label="Name" name="name" required maxlength="100" placeholder="ci" />
        <fieldset><legend>Scopes</legend>
          ${session.value.scopes.map((scope) => html`<label class="check" key=${scope}><input type="checkbox" name=${scope} /> ${scope}</label>`)}
        </fieldset>
        <${Field} label="Expires" name="expires" type="datetime-local" hint="Without a time it is valid until it is revoked." />
      <//>`
    }
    ${made && html`<${Secret} title="The key ${made.name}" secret=${made.key} onClose=${() => setMade(undefined)} />`}
  `;
}
