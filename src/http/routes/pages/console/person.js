/** One person, with role, orders, sessions and apps, and the forms to rename and remove them and to change their role. */
import { may, session } from './caller.js';
import { useChange, useQuery } from './data.js';
import { Ask, FormOpener } from './dialogs.js';
import { Field, Select } from './fields.js';
import { Grants } from './grants.js';
import { html } from './html.js';
import { NewestOrders } from './newest.js';
import { ObjectPage } from './object-page.js';
import { isAdministrator, isSelf, ROLES } from './roles.js';
import { mayEndSessionsOf, Sessions } from './sessions.js';
import { Badge, Facts, Section, Time } from './ui.js';

const ONE = `query Person($id: ID!, $orders: Boolean!) {
  user(id: $id) {
    id name email role version createdAt
    orders(last: 10) @include(if: $orders) { id status total currency createdAt }
  }
}`;

const RENAME = `mutation RenamePerson($id: ID!, $name: String!, $version: Int!) {
  updateUser(id: $id, input: { name: $name }, ifVersion: [$version]) { id name }
}`;
const ROLE = `mutation ChangeRole($org: String!, $id: ID!, $role: Role!, $version: Int!) {
  updateMember(org: $org, userId: $id, input: { role: $role }, ifVersion: [$version]) { id role }
}`;
const REMOVE = 'mutation RemovePerson($org: String!, $id: ID!) { deleteMember(org: $org, userId: $id) }';

export function Person({ id }) {
  const variables = { id, orders: may('read:orders') };
  const read = useQuery(ONE, variables, { on: ['user', 'order'] });
  const person = read.data?.user;
  return html`
    <${ObjectPage} kind="Person" id=${id} title=${person?.name} back=${{ to: '/people', label: 'People' }} operation=${{ document: ONE, variables }}
      read=${read} object=${person} actions=${(of) => html`<${Actions} of=${of} again=${read.again} />`}
      absent="A person who was removed has no page. Their name stays on their orders, documents, charges and events.">
      ${(of) => html`
        <${Facts} of=${factsOf(of)} />
        ${of.orders && html`<${NewestOrders} title="Newest orders" href="/orders?person=${id}" empty="No orders." rows=${of.orders.toReversed()} />`}
        ${mayEndSessionsOf(id) && html`<${Sessions} userId=${id} name=${of.name} />`}
        ${isSelf(id) && html`<${Section} title="Apps that act for you"><${Grants} all=${false} empty="You have not allowed any app to act for you." /><//>`}`}
    <//>
  `;
}

const factsOf = ({ email, role, createdAt }) => [
  ['Email', email],
  ['Role', html`<${Badge} of=${role} />`],
  ['Since', html`<${Time} at=${createdAt} full />`],
];

function Actions({ of: { id, name, role, version }, again }) {
  const { org } = session.value;
  const [rename] = useChange(RENAME, 'The name was changed.', again);
  const [changeRole] = useChange(ROLE, ({ updateMember }) => `The role is now ${updateMember.role}.`, again);
  const [remove] = useChange(REMOVE, 'The person was removed.', again);
  return html`
    ${
      (isAdministrator() || isSelf(id)) &&
      html`<${FormOpener} label="Rename" title="Rename ${name}" action="Rename" submit=${(values) => rename({ id, name: values.name, version })}>
        <${Field} label="Name" name="name" required maxlength="100" value=${name} /><//>`
    }
    ${
      isAdministrator() &&
      !isSelf(id) &&
      html`<${FormOpener} label="Change role" title="Role of ${name}" action="Change" submit=${(values) => changeRole({ org, id, role: values.role, version })}
        text="The new role applies at once. It ends the sessions of the person: they sign in again within 15 minutes, which gives them additional rights.">
        <${Select} label="Role" name="role" value=${role} options=${ROLES} /><//>
      <${Ask} label="Remove" title="Remove ${name}?" action="Remove" run=${() => remove({ org, id })} next=${() => '/people'}
        text="The person can no longer sign in, and their API keys stop working. Their events keep their name; the rest of the account is erased." />`
    }
  `;
}
