/** Invitations to the organisation, for administrators: a form that sends one, and the open ones. */
import { useEffect } from 'preact/hooks';
import { session } from './caller.js';
import { useChange } from './data.js';
import { Ask, FormOpener } from './dialogs.js';
import { EmailField, Select } from './fields.js';
import { html } from './html.js';
import { useList } from './list.js';
import { ROLES } from './roles.js';
import { Badge, Lines, Link, Section, Time } from './ui.js';

const LIST = `query Invitations($org: String!, $first: Int, $after: String) {
  invitations(org: $org, status: open, first: $first, after: $after) {
    nodes { id email role status invitedById expiresAt }
    endCursor hasNextPage
  }
}`;

const INVITE = `mutation InvitePerson($org: String!, $input: CreateInvitationInput!, $key: String!) {
  createInvitation(org: $org, input: $input, idempotencyKey: $key) { id email }
}`;
const REVOKE = 'mutation RevokeInvitation($org: String!, $id: ID!) { revokeInvitation(org: $org, id: $id) }';

/** A button, and the form that it opens. */
export function Invite() {
  const { org } = session.value;
  const [invite] = useChange(
    INVITE,
    ({ createInvitation: { email } }) => `An invitation is on its way to ${email}.`,
  );
  const submit = (input, key) => invite({ org, input, key });
  return html`
    <${FormOpener} class="primary" label="Invite person" title="Invite a person" action="Invite" submit=${submit}
      text="The person gets a link by mail, and chooses a name and a password. The link works once, for 7 days.">
      <${EmailField} />
      <${Select} label="Role" name="role" value="viewer" options=${ROLES} />
    <//>
  `;
}

/**
 * The open invitations, newest first; nothing if there are none.
 *
 * @param people people of the organisation, for the names of inviters.
 */
export function Invitations({ people }) {
  const { org } = session.value;
  const list = useList(LIST, { org }, (data) => data.invitations, { on: ['invitation'] });
  // The oldest are first, and a page may be empty although there are more.
  useEffect(() => {
    if (!list.isComplete) list.more();
  }, [list.end, list.isComplete]);
  const rows = list.rows.filter(({ status }) => status === 'open').toReversed();
  if (rows.length === 0 && !list.error) return null;
  return html`<${Section} title="Open invitations"><${Lines} list=${{ ...list, isComplete: true }} rows=${rows} of=${Line} people=${people} /><//>`;
}

function Line({ of: { id, email, role, invitedById, expiresAt }, list, people }) {
  const { org } = session.value;
  const [revoke] = useChange(REVOKE, `The invitation of ${email} was revoked.`, list.afterRemoval(id));
  const inviter = people.find((person) => person.id === invitedById)?.name ?? `Person ${invitedById}`;
  return html`
    <li>
      <span class="text">${email}</span>
      <${Badge} of=${role} />
      <span class="soft">invited by ${invitedById === null ? 'an operator' : html`<${Link} to="/people/${invitedById}">${inviter}<//>`}</span>
      <span class="soft">expires <${Time} at=${expiresAt} /></span>
      <${Ask} label=${html`Revoke<span class="hidden"> the invitation of ${email}</span>`} title="Revoke the invitation of ${email}?" action="Revoke" run=${() => revoke({ org, id })}
        text="The link in the message becomes invalid at once. You can invite the person again." />
    </li>
  `;
}
