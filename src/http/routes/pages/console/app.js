/** One app of the organisation: its client id, its secrets, and the scopes that it may request. */
import { AppFields, appInput } from './app-fields.js';
import { useChange, useQuery } from './data.js';
import { Ask, FormOpener } from './dialogs.js';
import { html } from './html.js';
import { ObjectPage } from './object-page.js';
import { Badge, Copy, Facts, Time } from './ui.js';

const ONE = `query App($id: ID!) {
  app(id: $id) {
    id name clientId type redirectUris postLogoutRedirectUris scopes tokenFormat homepageUrl jwks certificate { sanUri sanDns } version createdAt updatedAt
  }
}`;
const UPDATE = `mutation UpdateApp($id: ID!, $input: UpdateAppInput!, $version: Int!) {
  updateApp(id: $id, input: $input, ifVersion: [$version]) { id name }
}`;
const ROTATE =
  'mutation RotateAppSecret($id: ID!, $key: String!) { createAppSecret(appId: $id, idempotencyKey: $key) { id clientSecret } }';
const DELETE = 'mutation DeleteApp($id: ID!) { deleteApp(id: $id) }';

const textOf = (values) => html`<span class="text">${values.join(', ')}</span>`;

const urisOf = (uris) => (uris.length > 0 ? textOf(uris) : null);

/** Returns how the app authenticates. */
const authenticationOf = ({ type, jwks, certificate }) => {
  if (type === 'native') return 'PKCE only';
  if (jwks) return 'Keys';
  return certificate ? `Certificate of ${certificate.sanUri ?? certificate.sanDns}` : 'Secret';
};

export function App({ id }) {
  const read = useQuery(ONE, { id }, { on: ['app'] });
  const app = read.data?.app;
  return html`
    <${ObjectPage} kind="App" id=${id} title=${app?.name} back=${{ to: '/apps', label: 'Apps' }} operation=${{ document: ONE, variables: { id } }}
      read=${read} object=${app} actions=${(of) => html`<${Actions} of=${of} again=${read.again} />`}>
      ${(of) => html`<${Facts} of=${factsOf(of)} />`}
    <//>
  `;
}

const factsOf = (app) => [
  ['Client id', html`<${Copy} text=${app.clientId} what="Client id" />`],
  ['Type', html`<${Badge} of=${app.type} />`],
  ['Authenticates by', authenticationOf(app)],
  ['Access tokens', app.tokenFormat === 'jwt' ? 'JWT' : 'Opaque'],
  ['May request', textOf(app.scopes)],
  ['Redirect URIs', urisOf(app.redirectUris)],
  ['URIs after sign-out', urisOf(app.postLogoutRedirectUris)],
  ['Website', app.homepageUrl && html`<span class="text">${app.homepageUrl}</span>`],
  ['Created', html`<${Time} at=${app.createdAt} full />`],
  ['Changed', html`<${Time} at=${app.updatedAt} full />`],
];

function Actions({ of: app, again }) {
  const { id, name, version } = app;
  const [update] = useChange(UPDATE, 'The app was changed.', again);
  const [rotate] = useChange(ROTATE);
  const [remove] = useChange(DELETE, 'The app was deleted.');
  const save = (values) => update({ id, input: appInput(values), version });
  const secretOf = ({ createAppSecret: { clientSecret: secret } }) => ({ title: 'The new secret', secret });
  return html`
    <${FormOpener} label="Change" title="Change ${name}" action="Save" submit=${save}><${AppFields} of=${app} /><//>
    <${Ask} label="New secret" isOffered=${authenticationOf(app) === 'Secret'} title="Create another secret?" action="Create" isDanger=${false}
      run=${(_, key) => rotate({ id, key })} secretOf=${secretOf}
      text="The current secret stays valid too. Older secrets become invalid at once." />
    <${Ask} label="Delete" title="Delete ${name}?" action="Delete" run=${() => remove({ id })} next=${() => '/apps'}
      text="It is uninstalled everywhere, and its tokens become invalid within a second." />
  `;
}
