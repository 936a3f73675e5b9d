/** The form fields of an app, to create and to change it. */
import { session } from './caller.js';
import { Field, Select } from './fields.js';
import { html } from './html.js';

const TYPES = [
  ['web', 'Web: runs on a server, used in a browser'],
  ['native', 'Native: runs on the devices of people'],
  ['service', 'Service: acts only for itself'],
];

/** Returns the scopes among the values of a form: their check boxes have the scope as name, which contains a colon. */
export const scopesIn = (values) => Object.keys(values).filter((name) => name.includes(':'));

const linesIn = (text) => text.split(/\s+/).filter(Boolean);

/** Converts the values of a form to an input of `createApp` and `updateApp`. */
export const appInput = ({ name, redirectUris, postLogoutRedirectUris, homepageUrl, ...values }) => ({
  name,
  redirectUris: linesIn(redirectUris),
  postLogoutRedirectUris: linesIn(postLogoutRedirectUris),
  homepageUrl: homepageUrl || null,
  scopes: scopesIn(values),
});

export const ScopeFields = ({ legend, chosen = [] }) => html`
  <fieldset><legend>${legend}</legend>
    ${session.value.scopes.map(
      (scope) =>
        html`<label class="check" key=${scope}><input type="checkbox" name=${scope} defaultChecked=${chosen.includes(scope)} /> ${scope}</label>`,
    )}
  </fieldset>
`;

const Uris = ({ label, name, hint, of: app }) => html`
  <${Field} label=${label} hint=${hint}>
    ${(id, hintId) => html`<textarea id=${id} aria-describedby=${hintId} name=${name} rows="2" spellcheck="false" defaultValue=${app?.[name].join('\n')} />`}
  <//>
`;

/** @param of the app to change, whose type cannot change; undefined for a new app. */
export const AppFields = ({ of: app }) => html`
  <${Field} label="Name" name="name" required maxlength="100" value=${app?.name} hint="Shown to people on the consent page." />
  ${!app && html`<${Select} label="Type" name="type" value="web" options=${TYPES} />`}
  <${Uris} label="Redirect URIs" name="redirectUris" of=${app} hint="One per line. Web apps need at least one, service apps have none." />
  <${Uris} label="URIs after sign-out" name="postLogoutRedirectUris" of=${app} hint="One per line. The app may send people there after they have signed out." />
  <${Field} label="Website" name="homepageUrl" type="url" value=${app?.homepageUrl ?? ''} placeholder="https://" />
  <${ScopeFields} legend="Scopes that it may request" chosen=${app?.scopes} />
`;
