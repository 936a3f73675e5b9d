/** API keys: credentials for machines. Each key is shown once. */
import { CredentialFields, columnsOf, credentialInput, SHOWN } from './credentials.js';
import { useChange } from './data.js';
import { FormOpener } from './dialogs.js';
import { html } from './html.js';
import { useList } from './list.js';
import { Table } from './table.js';
import { Empty, PageHead } from './ui.js';

const LIST = `query ApiKeys($first: Int, $after: String) {
  apiKeys(first: $first, after: $after) { nodes { ${SHOWN} prefix } endCursor hasNextPage }
}`;

const CREATE =
  'mutation CreateApiKey($input: CreateApiKeyInput!, $key: String!) { createApiKey(input: $input, idempotencyKey: $key) { id name key } }';

const REVOCATION = {
  mutation: 'mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) }',
  effect: 'Requests with this key are refused at once.',
};

const PREFIX = { name: 'prefix', title: 'Key', of: ({ prefix }) => html`<code>${prefix}…</code>` };

export function ApiKeys() {
  const list = useList(LIST, {}, (data) => data.apiKeys, { on: ['api_key'] });
  const [create] = useChange(CREATE, 'The key was created.', list.again);
  const add = (values, key) => create({ input: credentialInput(values), key });
  const secretOf = ({ createApiKey: { name, key } }) => ({ title: `The key ${name}`, secret: key });
  return html`
    <${PageHead} title="API keys" operation=${{ document: LIST, variables: { first: 20 } }}>
      <${FormOpener} class="primary" label="Create key" title="Create an API key" action="Create" submit=${add} secretOf=${secretOf}><${CredentialFields} /><//>
    <//>
    <${Table} label="API keys" columns=${columnsOf(list, PREFIX, REVOCATION)} list=${list}
      empty=${html`<${Empty} title="No key yet">
        <p>An API key is for a machine. It acts for the person who created it, with the scopes that you choose, and can never do more than that person:</p>
        <pre tabindex="0"><code>Authorization: ApiKey pk_…</code></pre><//>`} />
  `;
}
