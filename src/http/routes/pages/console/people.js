/** People: the list of the organisation with the open invitations, and forms to add someone. */
import { session } from './caller.js';
import { useChange } from './data.js';
import { FormOpener } from './dialogs.js';
import { EmailField, Field, Select } from './fields.js';
import { html } from './html.js';
import { Invitations, Invite } from './invitations.js';
import { useList } from './list.js';
import { isAdministrator, ROLES } from './roles.js';
import { Table, timeColumn } from './table.js';
import { Badge, Empty, PageHead } from './ui.js';

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
  timeColumn('createdAt', 'Since', 'd'),
];

const CREATE = `mutation CreateMember($org: String!, $input: CreateMemberInput!, $key: String!) {
  createMember(org: $org, input: $input, idempotencyKey: $key) { id name }
}`;

export function People() {
  const { org } = session.value;
  const list = useList(LIST, { org }, (data) => data.members, { on: ['user'] });
  return html`
    <${PageHead} title="People" operation=${{ document: LIST, variables: { org, first: 20 } }}>
      ${isAdministrator() && html`<${Invite} /><${Add} again=${list.again} />`}
    <//>
    ${isAdministrator() && html`<${Invitations} people=${list.rows} />`}
    <${Table} label="People" columns=${COLUMNS} list=${list} href=${({ id }) => `/people/${id}`} empty=${html`<${Empty} title="No people" />`} />
  `;
}

/** A button, and the form that it opens. */
function Add({ again }) {
  const { org } = session.value;
  const [create] = useChange(CREATE, ({ createMember: { name } }) => `${name} can now sign in.`, again);
  const add = (input, key) => create({ org, input, key });
  return html`
    <${FormOpener} label="Add with a password" title="Add a person" action="Add" submit=${add}>
      <${Field} label="Name" name="name" required maxlength="100" />
      <${EmailField} />
      <${Select} label="Role" name="role" value="viewer" options=${ROLES} />
      <${Field} label="Password" name="password" type="password" minlength="8" required autocomplete="new-password" />
    <//>
  `;
}
