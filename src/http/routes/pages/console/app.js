/** One app of the organisation: its client id, its secrets, and the scopes that it may request. */
import { useState } from 'preact/hooks';
import { AppFields, appInput } from './app-fields.js';
import { useChange, useQuery } from './data.js';
import { html } from './html.js';
import { go } from './router.js';
import { Absent, Ask, Badge, Copy, Facts, FormDialog, Opener, PageHead, Skeleton, Time } from './ui.js';
import { Secret } from './webhooks.js';

const ONE = `query App($id: ID!) {
  app(id: $id) {
    id name clientId type redirectUris scopes tokenFormat homepageUrl jwks certificate { sanUri sanDns } version createdAt updatedAt
  }
}`;
const UPDATE = `mutation UpdateApp($id: ID!, $input: UpdateAppInput!, $version: Int!) {
  updateApp(id: $id, input: $input, ifVersion: [$version]) { id name }
}`;
const ROTATE =
  'mutation RotateAppSecret($id: ID!, $key: String!) { createAppSecret(appId: $id, idempotencyKey: $key) { id clientSecret } }';
const DELETE = 'mutation DeleteApp($id: ID!) { deleteApp(id: $id) }';

const textOf = (values) => html`<span class="text">${values.join(', ')}</span>`;

/** Returns how the app authenticates. */
const authenticationOf = ({ type, jwks, certificate }) => {
  if (type === 'native') return 'PKCE only';
  if (jwks) return 'Keys';
  return certificate ? `Certificate of ${certificate.sanUri ?? certificate.sanDns}` : 'Secret';
};

export function App({ id }) {
  const { data, error, again } = useQuery(ONE, { id }, { on: ['app'] });
  /** The app as it was when the form was opened: the form replaces no later change. */
  const [edited, setEdited] = useState();
  const [rotated, setRotated] = useState();
  const [update, isUpdating] = useChange(UPDATE, 'The app was changed.');
  const [rotate, isRotating] = useChange(ROTATE);
  const [remove, isRemoving] = useChange(DELETE, 'The app was deleted.');
  const back = { to: '/apps', label: 'Apps' };
  const app = data?.app;
  if (app === null || (error && !data))
    return html`<${Absent} kind="App" id=${id} back=${back} error=${data ? undefined : error} again=${again} />`;
  const save = async (values) => {
    const result = await update({ id, input: appInput(values), version: edited.version });
    again();
    return result;
  };
  return html`
    <${PageHead} title=${app?.name ?? `App ${id}`} back=${back} operation=${{ document: ONE, variables: { id } }}>
      ${
        app &&
        html`<${Opener} onClick=${() => setEdited(app)}>Change<//>
        ${
          authenticationOf(app) === 'Secret' &&
          html`<${Ask} label="New secret" title="Create another secret?" action="Create" isDanger=${false} isRunning=${isRotating}
            text="The current secret stays valid too. Older secrets become invalid at once."
            run=${async (_, key) => {
              const result = await rotate({ id, key });
              setRotated(result?.createAppSecret);
              return result;
            }} />`
        }
        <${Ask} label="Delete" title="Delete ${app.name}?" action="Delete" isRunning=${isRemoving}
          text="It is uninstalled everywhere, and its tokens become invalid within a second."
          run=${async () => {
            const result = await remove({ id });
            if (result) go('/apps');
            return result;
          }} />`
      }
    <//>
    ${
      !app
        ? html`<${Skeleton} lines=${6} />`
        : html`<${Facts} of=${[
            ['Client id', html`<${Copy} text=${app.clientId} what="Client id" />`],
            ['Type', html`<${Badge} of=${app.type} />`],
            ['Authenticates by', authenticationOf(app)],
            ['Access tokens', app.tokenFormat === 'jwt' ? 'JWT' : 'Opaque'],
            ['May request', textOf(app.scopes)],
            ['Redirect URIs', app.redirectUris.length > 0 ? textOf(app.redirectUris) : null],
            ['Website', app.homepageUrl && html`<span class="text">${app.homepageUrl}</span>`],
            ['Created', html`<${Time} at=${app.createdAt} full />`],
            ['Changed', html`<${Time} at=${app.updatedAt} full />`],
          ]} />`
    }
    ${
      edited &&
      html`<${FormDialog} title="Change ${edited.name}" action="Save" submit=${save} isRunning=${isUpdating} onClose=${() => setEdited()}><${AppFields} of=${edited} /><//>`
    }
    ${rotated && html`<${Secret} title="The new secret" secret=${rotated.clientSecret} onClose=${() => setRotated()} />`}
  `;
}
