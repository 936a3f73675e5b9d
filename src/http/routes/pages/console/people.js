/** People: a list with the open invitations, and one person with role, orders, sessions and apps. */
import { useState } from 'preact/hooks';
import { may, session } from './caller.js';
import { useChange, useList, useQuery } from './data.js';
import { Grants } from './grants.js';
import { html } from './html.js';
import { Invitations, Invite } from './invitations.js';
import { isAdministrator, ROLES } from './roles.js';
import { go } from './router.js';
import { mayEndSessionsOf, Sessions } from './sessions.js';
import { Table } from './table.js';
import {
  Absent,
  Ask,
  Badge,
  Empty,
  Facts,
  Field,
  FormDialog,
  Link,
  Money,
  Opener,
  PageHead,
  Section,
  Select,
  Skeleton,
  Time,
} from './ui.js';

const LIST = `query People($org: String!, $first: Int, $after: String) {
  members(org: $org, first: $first, after: $after) {
    nodes { id name email role createdAt }
    endCursor hasNextPage
  }
}`;

const COLUMNS = [
  { name: 'name', title: 'Name', of: ({ name }) => name, width: '1.4fr', place: 'a' },
  { name: 'email', title: 'Email', of: ({ email }) => email, width: '1.8fr', place: 'b' },
  { name: 'role', title: 'Role', of: ({ role }) => html`<${Badge} of=${role} />`, place: 'c' },
  {
    name: 'created',
    title: 'Since',
    of: ({ createdAt }) => html`<${Time} at=${createdAt} />`,
    isNumber: true,
    place: 'd',
  },
];

const CREATE = `mutation CreateMember($org: String!, $input: CreateMemberInput!, $key: String!) {
  createMember(org: $org, input: $input, idempotencyKey: $key) { id name }
}`;

export function People() {
  const { org } = session.value;
  const list = useList(LIST, { org }, (data) => data.members, { on: ['user'] });
  const [isAdding, setAdding] = useState(false);
  const [create, isRunning] = useChange(CREATE, ({ createMember: { name } }) => `${name} can now sign in.`);
  const add = async (input, key) => {
    const data = await create({ org, input, key });
    list.again();
    return data;
  };
  return html`
    <${PageHead} title="People" operation=${{ document: LIST, variables: { org, first: 20 } }}>
      ${isAdministrator() && html`<${Invite} /><${Opener} onClick=${() => setAdding(true)}>Add with a password<//>`}
    <//>
    ${isAdministrator() && html`<${Invitations} people=${list.rows} />`}
    <${Table} label="People" columns=${COLUMNS} list=${list} href=${({ id }) => `/people/${id}`} empty=${html`<${Empty} title="No people" />`} />
    ${
      isAdding &&
      html`<${FormDialog} title="Add a person" action="Add" submit=${add} isRunning=${isRunning} onClose=${() => setAdding(false)}>
        <${Field} label="Name" name="name" required maxlength="100" />
        <${Field} label="Email" name="email" type="text" inputmode="email" autocapitalize="none" spellcheck="false" required />
        <${Select} label="Role" name="role" value="viewer" options=${ROLES} />
        <${Field} label="Password" name="password" type="password" minlength="8" required autocomplete="new-password" />
      <//>`
    }
  `;
}

const ONE = `query Person($id: ID!, $orders: Boolean!) {
  user(id: $id) {
    id name email role version createdAt updatedAt removedAt avatarUrl
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
  const { org, userId } = session.value;
  const variables = { id, orders: may('read:orders') };
  const { data, error, again } = useQuery(ONE, variables, { on: ['user', 'order'] });
  const [dialog, setDialog] = useState();
  /** The person as they were when the dialog was opened: its form replaces no later change. */
  const [edited, setEdited] = useState();
  const open = (name) => {
    setEdited(person);
    setDialog(name);
  };
  const [rename, isRenaming] = useChange(RENAME, 'The name was changed.');
  const [changeRole, isChanging] = useChange(
    ROLE,
    ({ updateMember: { role } }) => `The role is now ${role}.`,
  );
  const [remove, isRemoving] = useChange(REMOVE, 'The person was removed.');
  const back = { to: '/people', label: 'People' };
  const person = data?.user;
  if (person === null || (error && !data))
    return html`<${Absent} kind="Person" id=${id} back=${back} error=${data ? undefined : error} again=${again} />`;
  const isOther = isAdministrator() && String(userId) !== id;
  const isActive = person && !person.removedAt;
  const run = (change) => async (values) => {
    const result = await change({ org, id, ...values });
    again();
    return result;
  };
  return html`
    <${PageHead} title=${person?.name ?? `Person ${id}`} back=${back} operation=${{ document: ONE, variables }}>
      ${
        isActive &&
        (isAdministrator() || String(userId) === id) &&
        html`<${Opener} onClick=${() => open('name')}>Rename<//>`
      }
      ${
        isActive &&
        isOther &&
        html`<${Opener} onClick=${() => open('role')}>Change role<//>
        <${Ask} label="Remove" title="Remove ${person.name}?" action="Remove" isRunning=${isRemoving} text="The person can no longer sign in, and their API keys stop working. Their events keep their name; the rest of the account is erased."
          run=${async () => {
            const data = await run(remove)();
            if (data) go('/people');
            return data;
          }} />`
      }
    <//>
    ${
      !person
        ? html`<${Skeleton} lines=${6} />`
        : html`
      <${Facts} of=${[
        ['Email', person.email || html`<span class="soft">erased</span>`],
        ['Role', html`<${Badge} of=${person.role} />`],
        ['Since', html`<${Time} at=${person.createdAt} full />`],
        ['Removed', person.removedAt && html`<${Time} at=${person.removedAt} full />`],
      ]} />
      ${
        person.orders &&
        html`<${Section} title="Newest orders" actions=${html`<${Link} to="/orders?person=${id}">All<//>`}>
          ${
            person.orders.length === 0
              ? html`<p class="soft">No orders.</p>`
              : html`<ul class="lines">${[...person.orders]
                  .reverse()
                  .map(
                    (order) =>
                      html`<li key=${order.id}><${Link} to="/orders/${order.id}">Order ${order.id}<//><${Badge} of=${order.status} /><${Money} value=${order.total} currency=${order.currency} /><${Time} at=${order.createdAt} /></li>`,
                  )}</ul>`
          }
        <//>`
      }
      ${isActive && mayEndSessionsOf(id) && html`<${Sessions} userId=${id} name=${person.name} />`}
      ${
        String(userId) === id &&
        html`<${Section} title="Apps that act for you"><${Grants} all=${false} empty="You have not allowed any app to act for you." /><//>`
      }`
    }
    ${
      dialog === 'name' &&
      html`<${FormDialog} title="Rename ${edited.name}" action="Rename" submit=${({ name }) => run(rename)({ name, version: edited.version })} isRunning=${isRenaming} onClose=${() => setDialog()}>
        <${Field} label="Name" name="name" required maxlength="100" value=${edited.name} /><//>`
    }
    ${
      dialog === 'role' &&
      html`<${FormDialog} title="Role of ${edited.name}" action="Change" submit=${({ role }) => run(changeRole)({ role, version: edited.version })} isRunning=${isChanging} onClose=${() => setDialog()}>
        <${Select} label="Role" name="role" value=${edited.role} options=${ROLES} />
        <p class="hint">The new role applies at once. It ends the sessions of the person: they sign in again within 15 minutes, which gives them additional rights.</p><//>`
    }
  `;
}
