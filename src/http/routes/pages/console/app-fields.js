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

/** Converts the values of a form to an input of `createApp` and `updateApp`. */
export const appInput = ({ name, redirectUris, homepageUrl, ...values }) => ({
  name,
  redirectUris: redirectUris.split(/\s+/).filter(Boolean),
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

/** @param of the app to change, whose type cannot change; undefined for a new app. */
export const AppFields = ({ of: app }) => html`
  <${Field} label="Name" name="name" required maxlength="100" value=${app?.name} hint="Shown to people on the consent page." />
  ${!app && html`<${Select} label="Type" name="type" value="web" options=${TYPES} />`}
  <${Field} label="Redirect URIs" hint="One per line. Web apps need at least one, service apps have none.">
    ${(id, hintId) => html`<textarea id=${id} aria-describedby=${hintId} name="redirectUris" rows="2" spellcheck="false" defaultValue=${app?.redirectUris.join('\n')} />`}
  <//>
  <${Field} label="Website" name="homepageUrl" type="url" value=${app?.homepageUrl ?? ''} placeholder="https://" />
  <${ScopeFields} legend="Scopes that it may request" chosen=${app?.scopes} />
`;
