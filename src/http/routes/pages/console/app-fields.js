/** What is typed about an app, when it is created and when it is changed. */
import { session } from './caller.js';
import { html } from './html.js';
import { Field, Select } from './ui.js';

const TYPES = [
  ['web', 'Web: runs on a server, used in a browser'],
  ['native', 'Native: runs on devices of people'],
  ['service', 'Service: acts for itself alone'],
];

/** Scopes are check boxes under their own names, which have a colon. */
export const scopesIn = (values) => Object.keys(values).filter((name) => name.includes(':'));

/** The values of a form as an input of `createApp` and `updateApp`. */
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

/** @param of the app that is changed; its type stays. */
export const AppFields = ({ of: app }) => html`
  <${Field} label="Name" name="name" required maxlength="100" value=${app?.name} hint="People see it when they consent." />
  ${!app && html`<${Select} label="Type" name="type" value="web" options=${TYPES} />`}
  <${Field} label="Redirect addresses" hint="One in each line. Web apps need one, service apps have none.">
    ${(id) => html`<textarea id=${id} name="redirectUris" rows="2" spellcheck="false" defaultValue=${app?.redirectUris.join('\n')} />`}
  <//>
  <${Field} label="Website" name="homepageUrl" type="url" value=${app?.homepageUrl ?? ''} placeholder="https://" />
  <${ScopeFields} legend="The most that it may ask for" chosen=${app?.scopes} />
`;
