/** The account of the signed-in person: name, password, sessions and apps. */
import { session } from './caller.js';
import { useChange, useQuery } from './data.js';
import { FormOpener } from './dialogs.js';
import { Field } from './fields.js';
import { Grants } from './grants.js';
import { html } from './html.js';
import { PasswordForm } from './password-form.js';
import { Sessions } from './sessions.js';
import { Badge, Facts, PageHead, Problem, Section, Skeleton, Time } from './ui.js';

const ME = 'query Account { me { id name email role createdAt version } }';
const RENAME = `mutation Rename($id: ID!, $name: String!, $version: Int!) {
  updateUser(id: $id, input: { name: $name }, ifVersion: [$version]) { id name }
}`;

export function Account() {
  const { data, error, again } = useQuery(ME, {}, { on: ['user'] });
  const me = data?.me;
  if (error && !data)
    return html`<${PageHead} title="Account" /><${Problem} error=${error} again=${again} />`;
  return html`
    <${PageHead} title="Account" operation=${{ document: ME }}>
      ${me && html`<${ChangeName} of=${me} again=${again} />`}
    <//>
    ${
      !me
        ? html`<${Skeleton} lines=${6} />`
        : html`
      <${Facts} of=${[
        ['Name', html`<span class="text">${me.name}</span>`],
        ['Email', me.email],
        ['Role', html`<${Badge} of=${me.role} />`],
        ['Organisation', session.value.org],
        ['Since', html`<${Time} at=${me.createdAt} full />`],
      ]} />
      <${Section} title="Password"><${PasswordForm} of=${me} /><//>
      <${Sessions} userId=${me.id} name=${me.name} />
      <${Section} title="Apps that act for you"><${Grants} all=${false} empty="You have not allowed any app to act for you." /><//>`
    }
  `;
}

/** A button, and the form that it opens. */
function ChangeName({ of: { id, name, version }, again }) {
  const [rename] = useChange(RENAME, 'Your name was changed.', again);
  return html`
    <${FormOpener} label="Change name" title="Change your name" action="Save" submit=${(values) => rename({ id, name: values.name, version })}>
      <${Field} label="Name" name="name" required maxlength="100" autocomplete="name" value=${name} /><//>
  `;
}
