/** Client certificates: credentials of machines that show them when they connect (mutual TLS). */
import { useState } from 'preact/hooks';
import { ScopeFields, scopesIn } from './app-fields.js';
import { useChange, useList } from './data.js';
import { html } from './html.js';
import { Table } from './table.js';
import { Ask, Badge, Empty, Field, FormDialog, PageHead, Select, Time } from './ui.js';

const LIST = `query Certificates($first: Int, $after: String) {
  clientCertificates(first: $first, after: $after) {
    nodes { id name match { thumbprint sanUri sanDns } scopes createdAt expiresAt lastUsedAt revokedAt owner { id name } }
    endCursor hasNextPage
  }
}`;

const CREATE = `mutation RegisterCertificate($input: CreateClientCertificateInput!) {
  createClientCertificate(input: $input) { id name }
}`;
const REVOKE = 'mutation RevokeCertificate($id: ID!) { revokeClientCertificate(id: $id) }';

/** By the names of the members of a match. */
const KINDS = [
  ['thumbprint', 'SHA-256 of the certificate'],
  ['sanDns', 'DNS name in it'],
  ['sanUri', 'URI in it'],
];

const isExpired = ({ expiresAt }) => expiresAt !== null && new Date(expiresAt) < new Date();
const stateOf = (row) => (row.revokedAt ? 'revoked' : isExpired(row) ? 'expired' : 'active');
const matchOf = ({ match }) => match.sanUri ?? match.sanDns ?? match.thumbprint;

function Revoke({ of, list }) {
  const [revoke, isRunning] = useChange(REVOKE, `${of.name} was revoked.`);
  const run = async () => {
    await revoke({ id: of.id });
    list.again();
  };
  return html`<${Ask} label=${html`Revoke<span class="hidden"> ${of.name}</span>`} title="Revoke ${of.name}?" action="Revoke" isRunning=${isRunning} run=${run} text="Machines with such a certificate are refused at once. It cannot be undone." />`;
}

const columnsOf = (list) => [
  { name: 'name', title: 'Name', of: ({ name }) => html`<span>${name}</span>`, width: '1.4fr', place: 'a' },
  {
    name: 'match',
    title: 'Recognised by',
    of: (row) => html`<code title=${matchOf(row)}>${matchOf(row)}</code>`,
    width: '1.8fr',
    place: 'b',
  },
  { name: 'owner', title: 'Acts for', of: ({ owner }) => owner?.name ?? '' },
  {
    name: 'scopes',
    title: 'Scopes',
    of: ({ scopes }) =>
      html`<span title=${scopes.join(', ')}>${scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}</span>`,
  },
  { name: 'state', title: 'State', of: (row) => html`<${Badge} of=${stateOf(row)} />`, place: 'd' },
  {
    name: 'used',
    title: 'Last used',
    of: ({ lastUsedAt }) => html`<${Time} at=${lastUsedAt} />`,
    isNumber: true,
  },
  {
    name: 'revoke',
    title: html`<span class="hidden">Actions</span>`,
    of: (row) => !row.revokedAt && html`<${Revoke} of=${row} list=${list} />`,
    isNumber: true,
    place: 'c',
  },
];

export function Certificates() {
  const list = useList(LIST, {}, (data) => data.clientCertificates, { on: ['client_certificate'] });
  const [isAdding, setAdding] = useState(false);
  const [create, isRunning] = useChange(
    CREATE,
    ({ createClientCertificate: { name } }) => `${name} was registered.`,
  );
  const add = async ({ name, kind, value, expires, ...values }) => {
    const expiresAt = expires ? new Date(expires).toISOString() : null;
    const data = await create({
      input: { name, match: { [kind]: value }, scopes: scopesIn(values), expiresAt },
    });
    list.again();
    return Boolean(data);
  };
  return html`
    <${PageHead} title="Certificates" operation=${{ document: LIST, variables: { first: 20 } }}>
      <button type="button" class="primary" onClick=${() => setAdding(true)}>Register certificate</button>
    <//>
    <${Table} label="Certificates" columns=${columnsOf(list)} list=${list}
      empty=${html`<${Empty} title="No certificate yet">
        <p>A machine that shows a registered certificate when it connects needs no key. It acts for the person who registered it, with the scopes that you choose, and never with more than that person may do.</p>
        <p>The server or a proxy in front of it must ask for certificates.</p><//>`} />
    ${
      isAdding &&
      html`<${FormDialog} title="Register a certificate" action="Register" submit=${add} isRunning=${isRunning} onClose=${() => setAdding(false)}>
        <${Field} label="Name" name="name" required maxlength="100" placeholder="ci" />
        <${Select} label="Recognised by" name="kind" value="thumbprint" options=${KINDS} />
        <${Field} label="Value" name="value" required maxlength="500" autocomplete="off" spellcheck="false" hint="openssl x509 -in cert.pem -noout -fingerprint -sha256 shows the SHA-256." />
        <${ScopeFields} legend="Scopes" />
        <${Field} label="Expires" name="expires" type="datetime-local" hint="Without a time it is valid until it is revoked." />
      <//>`
    }
  `;
}
