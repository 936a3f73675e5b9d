/** Client certificates: credentials that machines present when they connect (mutual TLS). */
import { CredentialFields, columnsOf, credentialInput, SHOWN } from './credentials.js';
import { useChange } from './data.js';
import { FormOpener } from './dialogs.js';
import { Field, Select } from './fields.js';
import { html } from './html.js';
import { useList } from './list.js';
import { Table } from './table.js';
import { Empty, PageHead } from './ui.js';

const LIST = `query Certificates($first: Int, $after: String) {
  clientCertificates(first: $first, after: $after) {
    nodes { ${SHOWN} match { thumbprint sanUri sanDns } }
    endCursor hasNextPage
  }
}`;

const CREATE = `mutation RegisterCertificate($input: CreateClientCertificateInput!, $key: String!) {
  createClientCertificate(input: $input, idempotencyKey: $key) { id name }
}`;

const REVOCATION = {
  mutation: 'mutation RevokeCertificate($id: ID!) { revokeClientCertificate(id: $id) }',
  effect: 'Machines with such a certificate are refused at once.',
};

/** The members of a match, with their labels. */
const KINDS = [
  ['thumbprint', 'SHA-256 of the certificate'],
  ['sanDns', 'DNS name in the certificate'],
  ['sanUri', 'URI in the certificate'],
];

/** All of them are entered in one field. */
const ALIASES = Object.fromEntries(KINDS.map(([kind]) => [kind, 'value']));

const matchOf = ({ match }) => match.sanUri ?? match.sanDns ?? match.thumbprint;

const MATCH = {
  name: 'match',
  title: 'Recognised by',
  of: (row) => html`<code title=${matchOf(row)}>${matchOf(row)}</code>`,
  width: '1.8fr',
};

export function Certificates() {
  const list = useList(LIST, {}, (data) => data.clientCertificates, { on: ['client_certificate'] });
  const [create] = useChange(
    CREATE,
    ({ createClientCertificate: { name } }) => `${name} was registered.`,
    list.again,
  );
  const add = ({ kind, value, ...values }, key) =>
    create({ input: { ...credentialInput(values), match: { [kind]: value } }, key });
  return html`
    <${PageHead} title="Certificates" operation=${{ document: LIST, variables: { first: 20 } }}>
      <${FormOpener} class="primary" label="Register certificate" title="Register a certificate" action="Register" submit=${add} aliases=${ALIASES}>
        <${CredentialFields}>
          <${Select} label="Recognised by" name="kind" value="thumbprint" options=${KINDS} />
          <${Field} label="Value" name="value" required maxlength="500" autocomplete="off" spellcheck="false" hint="openssl x509 -in cert.pem -noout -fingerprint -sha256 shows the SHA-256." />
        <//>
      <//>
    <//>
    <${Table} label="Certificates" columns=${columnsOf(list, MATCH, REVOCATION)} list=${list}
      empty=${html`<${Empty} title="No certificate yet">
        <p>A machine that presents a registered certificate when it connects needs no API key. It acts for the person who registered it, with the scopes that you choose, and can never do more than that person.</p>
        <p>The server or a proxy in front of it must request client certificates.</p><//>`} />
  `;
}
