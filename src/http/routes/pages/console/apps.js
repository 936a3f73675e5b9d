/** Apps: the organisation's own, the installed ones, and the grants of people. */
import { AppFields, appInput, ScopeFields, scopesIn } from './app-fields.js';
import { session } from './caller.js';
import { useChange } from './data.js';
import { Ask, FormOpener } from './dialogs.js';
import { Field, Select } from './fields.js';
import { Grants } from './grants.js';
import { html } from './html.js';
import { useList } from './list.js';
import { ROLES } from './roles.js';
import { Table, timeColumn } from './table.js';
import { Badge, Empty, Lines, PageHead, Section, Time } from './ui.js';

const LIST = `query Apps($first: Int, $after: String) {
  apps(first: $first, after: $after) { nodes { id name clientId type scopes createdAt } endCursor hasNextPage }
}`;

const COLUMNS = [
  { name: 'name', title: 'Name', of: ({ name }) => name, width: '1.6fr', place: 'a' },
  { name: 'client', title: 'Client id', of: ({ clientId }) => html`<code>${clientId}</code>`, place: 'b' },
  { name: 'type', title: 'Type', of: ({ type }) => html`<${Badge} of=${type} />`, place: 'd' },
  {
    name: 'scopes',
    title: 'May request',
    of: ({ scopes }) => html`<span title=${scopes.join(', ')}>${scopes.join(', ')}</span>`,
    width: '1.8fr',
  },
  timeColumn('createdAt', 'Created', 'c'),
];

const CREATE =
  'mutation CreateApp($input: CreateAppInput!, $key: String!) { createApp(input: $input, idempotencyKey: $key) { id name clientSecret } }';

export function Apps() {
  const list = useList(LIST, {}, (data) => data.apps, { on: ['app'] });
  const [create] = useChange(
    CREATE,
    ({ createApp: { name } }) => `${name} was created, and is installed here.`,
    list.again,
  );
  const add = (values, key) => create({ input: { ...appInput(values), type: values.type }, key });
  const secretOf = ({ createApp: { name, clientSecret } }) => ({
    title: `The secret of ${name}`,
    secret: clientSecret,
  });
  const next = ({ createApp: { id, clientSecret } }) => !clientSecret && `/apps/${id}`;
  return html`
    <${PageHead} title="Apps" operation=${{ document: LIST, variables: { first: 20 } }}>
      <${FormOpener} class="primary" label="Create app" title="Create an app" action="Create" submit=${add} secretOf=${secretOf} next=${next}><${AppFields} /><//>
      <${Install} />
    <//>
    <${Table} label="Apps" columns=${COLUMNS} list=${list} href=${({ id }) => `/apps/${id}`}
      empty=${html`<${Empty} title="No app of your own yet">
        <p>An app is an integration that acts for people with OAuth 2.0, in your organisation and in others that install it. It can never do more than they can.</p><//>`} />
    <${Installations} />
    <${Section} title="Grants of people"><${Grants} all empty="No one has allowed an app to act for them." /><//>
  `;
}

const INSTALLATIONS = `query Installations($first: Int, $after: String) {
  installations(first: $first, after: $after) {
    nodes { id name clientId publisher scopes role createdAt }
    endCursor hasNextPage
  }
}`;
const INSTALL = `mutation InstallApp($input: CreateInstallationInput!, $key: String!) {
  createInstallation(input: $input, idempotencyKey: $key) { id name }
}`;
const UNINSTALL = 'mutation UninstallApp($id: ID!) { deleteInstallation(id: $id) }';

function Installations() {
  const list = useList(INSTALLATIONS, {}, (data) => data.installations, { on: ['app'] });
  return html`
    <${Section} title="Installed">
      <${Lines} list=${list} of=${Installation} empty="No app is installed. Install one by its client id, which its publisher gives you." />
    <//>
  `;
}

function Installation({ of: { id, name, clientId, publisher, scopes, role, createdAt }, list }) {
  const [uninstall] = useChange(UNINSTALL, `${name} was uninstalled.`, list.afterRemoval(id));
  const isOwn = publisher === session.value.org;
  return html`
    <li>
      <span class="text">${name} <code class="soft">${clientId}</code></span>
      <span class="soft">${isOwn ? 'your own' : `by ${publisher}`}</span>
      <${Badge} of=${role} />
      <span class="soft text">${scopes.join(', ')}</span>
      <${Time} at=${createdAt} />
      <${Ask} label=${html`Uninstall<span class="hidden"> ${name}</span>`} title="Uninstall ${name}?" action="Uninstall" run=${() => uninstall({ id })}
        text="Its tokens here become invalid within a second, and people's grants to it end." />
    </li>
  `;
}

/** A button, and the form that it opens. */
function Install() {
  const [install] = useChange(INSTALL, ({ createInstallation: { name } }) => `${name} is installed.`);
  const submit = ({ clientId, role, ...values }, key) =>
    install({ input: { clientId, role, scopes: scopesIn(values) }, key });
  return html`
    <${FormOpener} label="Install an app" title="Install an app" action="Install" submit=${submit}>
      <${Field} label="Client id" name="clientId" required maxlength="64" placeholder="app_7" hint="Its publisher gives it to you." />
      <${Select} label="Role" name="role" value="viewer" options=${ROLES} />
      <${ScopeFields} legend="Scopes that it may use here" />
    <//>
  `;
}
