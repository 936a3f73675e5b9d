/** The texts of mail. */
import type { Role } from '../core/roles.ts';
import type { Message } from './transport.ts';

/** @param link the link to set a new password, valid once. */
export const passwordResetMessage = (to: string, link: string): Message => ({
  to,
  subject: 'Set a new password',
  text: `A new password was requested for your account. Open this link within an hour to set one:

${link}

The link works once. If you did not request it, ignore this message: your password stays as it is.
`,
});

interface InvitationText {
  readonly to: string;
  /** The link to accept the invitation, valid once. */
  readonly link: string;
  /** The display name of the organisation. */
  readonly organisation: string;
  /** The name of the inviter, null for an operator. */
  readonly inviter: string | null;
  readonly role: Role;
  readonly expiresAt: Date;
}

/** Text that a mail program may show as a link: a URL, or the name of a host. */
const LINK = /:\/\/|[\p{L}\p{N}]\.\p{L}{2,}/u;

/** Characters of the longest name in a message. A longer one is more likely a text of its own. */
const LONGEST_NAME = 60;

/** Returns the inviter for the first sentence. A name that could be read as a message of this server is left out. */
function inviterIn(name: string | null): string {
  return name === null || name.length > LONGEST_NAME || LINK.test(name) ? 'An administrator' : `"${name}"`;
}

export const invitationMessage = ({
  to,
  link,
  organisation,
  inviter,
  role,
  expiresAt,
}: InvitationText): Message => ({
  to,
  subject: `Invitation to ${organisation}`,
  text: `${inviterIn(inviter)} invites you to ${organisation}, with the role "${role}". Open this link to choose a name and a
password:

${link}

The link works once, until ${expiresAt.toISOString().slice(0, 10)}. If you did not expect it, ignore this message.
`,
});
